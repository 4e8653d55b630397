"""What do visits tell of changed pages and layouts, and of records that rules take?"""
