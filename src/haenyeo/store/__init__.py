"""What has been collected, and how does it survive a crash?"""
