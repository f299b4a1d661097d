"""Pictures: what is drawn (`scene`), how (`theme`, `text`, `sprites`), and where (`pool`).

A presenter builds a `Scene`; `Studio.paint` turns it into a PNG or GIF file. `check.audit` lists the faults
of a scene. Nothing here depends on Discord or on a game.
"""
