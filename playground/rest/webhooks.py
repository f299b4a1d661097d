"""REST: first answers to interactions, and what an interaction's token may do afterwards."""

from __future__ import annotations

from playground import payloads
from playground.errors import unknown
from playground.model import Json
from playground.ratelimits import FOLLOW_UP
from playground.rest.routing import Call, route

_HOOK = "/webhooks/{app_id}/{token}"


@route("POST", "/interactions/{interaction_id}/{token}/callback", public=True)
def callback(call: Call) -> Json | None:
    """Take the first answer to an interaction."""
    body: Json = call.body if isinstance(call.body, dict) else {}
    answer = call.core.interactions.answer(
        call.number("interaction_id"), call.params["token"], body, call.uploads
    )
    return answer if call.flag("with_response") else None


def _check_app(call: Call) -> str:
    if call.number("app_id") != call.core.world.application_id:
        raise unknown("Webhook")
    return call.params["token"]


@route("POST", _HOOK, public=True, limit=FOLLOW_UP, major="token")
def follow_up(call: Call) -> Json:
    """Post a follow-up."""
    token = _check_app(call)
    message = call.core.interactions.follow_up(token, call.body or {}, call.uploads)
    return payloads.message(message, world=call.core.world)


@route("GET", _HOOK + "/messages/{message_id}", public=True)
def read(call: Call) -> Json:
    """Read a message by token."""
    message = call.core.interactions.message_of(_check_app(call), call.params["message_id"])
    return payloads.message(message, world=call.core.world)


@route("PATCH", _HOOK + "/messages/{message_id}", public=True, limit=FOLLOW_UP, major="token")
def edit(call: Call) -> Json:
    """Edit a message by token."""
    token = _check_app(call)
    message = call.core.interactions.edit(token, call.params["message_id"], call.body or {}, call.uploads)
    return payloads.message(message, world=call.core.world)


@route("DELETE", _HOOK + "/messages/{message_id}", public=True, limit=FOLLOW_UP, major="token")
def delete(call: Call) -> None:
    """Delete a message by token."""
    call.core.interactions.delete(_check_app(call), call.params["message_id"])
