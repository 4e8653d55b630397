"""What if one core, or one machine, is not enough? One collection in shards, each crawled by a process of its own."""
