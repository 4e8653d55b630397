"""What if the disk that has a shard is lost? Copies of it are elsewhere, and it goes on from the last."""
