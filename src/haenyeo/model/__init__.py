"""What are the nouns, the sockets, the errors and the settings that everything else shares?"""
