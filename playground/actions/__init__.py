"""What people and the bot do in the playground."""
