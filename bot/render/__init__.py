"""Pictures: what is drawn (`scene`), how (`theme`, `text`, `sprites`), and by whom (`pool`).

A presenter builds a `Scene`; `Studio.paint` turns it into a PNG file. `check.audit` says what is
wrong with a scene, `sheet.contact_sheet` shows many of them. Nothing here knows Discord or a game.
"""
