"""The tools that the protocol's conformance suite calls, by the names and with the replies that it expects."""

import json
from typing import Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Resolve, Sample
from mcp_types import (
    AudioContent,
    CallToolResult,
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    EmbeddedResource,
    ImageContent,
    InputRequiredResult,
    ListRootsRequest,
    ListRootsResult,
    SamplingMessage,
    TextContent,
    TextResourceContents,
)
from pydantic import BaseModel, Field, WithJsonSchema

from hornbook.graph.errors import InvalidArgument

__test__: dict[str, str] = {}  # nothing here is for pytest: the names are the suite's

Ctx = Context[Any, Any]
Asked = str | InputRequiredResult

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="
BETWEEN = 0.05  # seconds between two notifications, as the suite wants them


def text(said: str) -> TextContent:
    return TextContent(type="text", text=said)


def picture() -> ImageContent:
    return ImageContent(type="image", data=PIXEL, mime_type="image/png")


def embedded(uri: str, mime_type: str, held: str) -> EmbeddedResource:
    return EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=held))


# What a tool can return


def test_simple_text() -> str:
    """Return a text."""
    return "This is a simple text response for testing."


def test_image_content() -> CallToolResult:
    """Return a picture."""
    return CallToolResult(content=[picture()])


def test_audio_content() -> CallToolResult:
    """Return a sound."""
    return CallToolResult(content=[AudioContent(type="audio", data=SILENCE, mime_type="audio/wav")])


def test_embedded_resource() -> CallToolResult:
    """Return a resource."""
    held = embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
    return CallToolResult(content=[held])


def test_multiple_content_types() -> CallToolResult:
    """Return a text, a picture and a resource."""
    held = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return CallToolResult(content=[text("Multiple content types test:"), picture(), held])


def test_error_handling() -> str:
    """Fail."""
    raise InvalidArgument("This tool intentionally returns an error for testing")


# What a tool can tell while it runs


async def test_tool_with_logging(ctx: Ctx) -> str:
    """Log three lines."""
    for line in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.info(line)
        await anyio.sleep(BETWEEN)
    return "logged"


async def test_logging_tool(ctx: Ctx) -> str:
    """Log a line, which reaches only those who asked for logs."""
    await ctx.info("Tool execution started")
    return "logged"


async def test_tool_with_progress(ctx: Ctx) -> str:
    """Report how far it is."""
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100, f"{done} of 100")
        await anyio.sleep(BETWEEN)
    return "done"


async def test_trigger_tool_change(ctx: Ctx) -> str:
    """Tell the listeners that tools have changed."""
    await ctx.notify_tools_changed()
    return "told"


async def test_trigger_prompt_change(ctx: Ctx) -> str:
    """Tell the listeners that prompts have changed."""
    await ctx.notify_prompts_changed()
    return "told"


# What a tool can ask in the middle of a call, of clients of the older protocols


class Person(BaseModel):
    username: str = Field(description="User's response")
    email: str = Field(description="User's email address")


class Defaults(BaseModel):
    name: str = "John Doe"
    age: int = 30
    score: float = 95.5
    status: Literal["active", "inactive", "pending"] = "active"
    verified: bool = True


def schema(**parts: Any) -> Any:
    return WithJsonSchema(parts)


def titled(**titles: str) -> list[dict[str, str]]:
    return [{"const": value, "title": title} for value, title in titles.items()]


class Choices(BaseModel):
    untitledSingle: Annotated[str, schema(type="string", enum=["option1", "option2", "option3"])]
    titledSingle: Annotated[str, schema(type="string", oneOf=titled(value1="First Option", value2="Second Option"))]
    legacyEnum: Annotated[str, schema(type="string", enum=["opt1", "opt2"], enumNames=["Option One", "Option Two"])]
    untitledMulti: Annotated[
        list[str], schema(type="array", items={"type": "string", "enum": ["option1", "option2", "option3"]})
    ]
    titledMulti: Annotated[
        list[str], schema(type="array", items={"anyOf": titled(value1="First Choice", value2="Second Choice")})
    ]


async def elicited(ctx: Ctx, message: str, form: type[BaseModel]) -> str:
    result = await ctx.elicit(message, form)
    content = result.data.model_dump_json() if result.action == "accept" else "{}"
    return f"action={result.action}, content={content}"


async def test_elicitation(message: str, ctx: Ctx) -> str:
    """Ask the person at the client."""
    return f"User response: {await elicited(ctx, message, Person)}"


async def test_elicitation_sep1034_defaults(ctx: Ctx) -> str:
    """Ask with a form that is filled in already."""
    return f"Elicitation completed: {await elicited(ctx, 'Please check these', Defaults)}"


async def test_elicitation_sep1330_enums(ctx: Ctx) -> str:
    """Ask with every way of writing a choice."""
    return f"Elicitation completed: {await elicited(ctx, 'Please choose', Choices)}"


async def test_sampling(prompt: str, ctx: Ctx) -> str:
    """Ask the client's model."""
    message = SamplingMessage(role="user", content=text(prompt))
    result = await ctx.session.create_message([message], max_tokens=100)
    return f"LLM response: {getattr(result.content, 'text', '')}"


async def test_reconnection(ctx: Ctx) -> str:
    """Hang up in the middle of a call, and go on."""
    await ctx.close_sse_stream()
    await anyio.sleep(2 * BETWEEN)
    return "Reconnection test completed"


# What a call of the newer protocol can come back with instead of a result


def form(message: str, **properties: str) -> ElicitRequest:
    wanted = {name: {"type": kind} for name, kind in properties.items()}
    asked: Any = {"type": "object", "properties": wanted, "required": list(wanted)}
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=asked))


def sample(prompt: str, max_tokens: int = 100) -> CreateMessageRequest:
    message = SamplingMessage(role="user", content=text(prompt))
    return CreateMessageRequest(params=CreateMessageRequestParams(messages=[message], max_tokens=max_tokens))


def ask(state: str | None = None, /, **requests: Any) -> InputRequiredResult:
    return InputRequiredResult(input_requests=requests, request_state=state)


def filled(ctx: Ctx, key: str) -> dict[str, Any] | None:
    """What a form came back with; None before it does, and where the answer is no form's."""
    given = (ctx.input_responses or {}).get(key)
    return dict(given.content or {}) if isinstance(given, ElicitResult) and given.action == "accept" else None


def test_input_required_result_elicitation(ctx: Ctx) -> Asked:
    """Ask for a name."""
    answer = filled(ctx, "user_name") or {}
    if "name" not in answer:
        return ask(user_name=form("What is your name?", name="string"))
    return f"Hello, {answer['name']}!"


def test_input_required_result_sampling(ctx: Ctx) -> Asked:
    """Ask the client's model."""
    answer = (ctx.input_responses or {}).get("capital_question")
    if not isinstance(answer, CreateMessageResult):
        return ask(capital_question=sample("What is the capital of France?"))
    return str(getattr(answer.content, "text", ""))


def test_input_required_result_list_roots(ctx: Ctx) -> Asked:
    """Ask for the client's roots."""
    answer = (ctx.input_responses or {}).get("client_roots")
    if not isinstance(answer, ListRootsResult):
        return ask(client_roots=ListRootsRequest())
    return ", ".join(str(root.uri) for root in answer.roots)


def test_input_required_result_request_state(ctx: Ctx) -> Asked:
    """Ask for a confirmation, and know again what it was about."""
    if ctx.request_state != "asked" or filled(ctx, "confirm") is None:
        return ask("asked", confirm=form("Please confirm", ok="boolean"))
    return "state-ok"


def test_input_required_result_tampered_state(ctx: Ctx) -> Asked:
    """Ask for a confirmation; the state is sealed as ours is."""
    return test_input_required_result_request_state(ctx)


def test_input_required_result_multiple_inputs(ctx: Ctx) -> Asked:
    """Ask three things at once."""
    given = ctx.input_responses or {}
    if not {"user_name", "greeting", "client_roots"} <= set(given):
        name, greeting = form("What is your name?", name="string"), sample("Generate a greeting", 50)
        return ask("asked", user_name=name, greeting=greeting, client_roots=ListRootsRequest())
    return f"{len(given)} answers"


def test_input_required_result_multi_round(ctx: Ctx) -> Asked:
    """Ask one thing after the other."""
    if ctx.request_state == "1" and (name := filled(ctx, "step1")) is not None:
        return ask(json.dumps(name), step2=form("Step 2: What is your favorite color?", color="string"))
    if ctx.request_state and (color := filled(ctx, "step2")) is not None:
        return f"{ctx.request_state} {json.dumps(color)}"
    return ask("1", step1=form("Step 1: What is your name?", name="string"))


def test_input_required_result_capabilities(ctx: Ctx) -> Asked:
    """Ask only what the client can answer."""
    can, requests = ctx.client_capabilities, {}
    if can is not None and can.elicitation is not None:
        requests["user_name"] = form("What is your name?", name="string")
    if can is not None and can.sampling is not None:
        requests["greeting"] = sample("Generate a greeting")  # type: ignore[assignment]
    return ask(**requests) if requests else "nothing to ask"


def test_streaming_elicitation(ctx: Ctx) -> Asked:
    """Ask in the result, and not in the middle of it."""
    return test_input_required_result_elicitation(ctx)


async def sampled() -> Sample:
    return Sample([SamplingMessage(role="user", content=text("Hello"))], max_tokens=10)


def test_missing_capability(answer: Annotated[CreateMessageResult, Resolve(sampled)]) -> str:
    """Need a client that has a model."""
    return answer.model


# What a schema can say


def test_header_parameter(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})], query: str = ""
) -> str:
    """Take an argument that comes in a header too."""
    return f"{region} {query}"


def json_schema_2020_12_tool(name: str = "", contact_method: Annotated[str, Field(alias="contactMethod")] = "") -> str:
    """Take what a schema with many keywords allows."""
    return f"{name} {contact_method}"


KEYWORDS: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TOOLS = [made for name, made in list(globals().items()) if name.startswith("test_")] + [json_schema_2020_12_tool]
