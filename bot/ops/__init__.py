"""Operations: starting, checking, backing up, restoring and moving an installation."""
