"""What would a small web look like? Seeded sites on loopback with topics, layouts that change, and a clock to turn."""
