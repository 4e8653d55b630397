"""What have others collected? Pages from archives, folders and lists, taken in as visits of their time."""
