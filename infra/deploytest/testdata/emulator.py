"""Starts MiniStack with what it lacks beside AWS. doc.go lists the deviations."""

import contextvars
import copy
import json
import runpy

from ministack import app
from ministack.core import iam_actions
from ministack.services import apigateway, budgets, cloudwatch, sns
from ministack.services.cloudformation import provisioners

user_pool_attributes = provisioners._cognito_user_pool_attributes
jwks_url = apigateway._resolve_jwks_url
fetch_jwks = apigateway._fetch_jwks
alarm_record = provisioners._cw_metric_alarm_record
dispatch_actions = cloudwatch._dispatch_alarm_actions
invoke_socket_function = apigateway._invoke_ws_lambda
handle_socket = apigateway.handle_websocket
cors_headers = apigateway._cors_response_headers
cors_preflight = apigateway._cors_preflight_response
iam_action = iam_actions.extract_iam_action
subprotocol = contextvars.ContextVar("subprotocol", default=None)


def without_batch(service, *args):
    action = iam_action(service, *args)
    return action.removesuffix("Batch") if action and service == "sqs" else action


def with_provider_url(pool):
    attributes = user_pool_attributes(pool)
    attributes.setdefault("ProviderURL", "https://" + attributes["ProviderName"])
    return attributes


def as_stored_by_the_service(answer):
    """CloudFormation stores the names of a CORS configuration with capitals, and the API's answers know others."""

    def with_names(cors, *args):
        return answer({name[:1].lower() + name[1:]: value for name, value in (cors or {}).items()}, *args)

    return with_names


async def over_tls(authorizer):
    url = await jwks_url(authorizer)
    plain = f"http://{apigateway._HOST}:{apigateway._PORT}/"
    return url and url.replace(plain, f"https://127.0.0.1:{apigateway._PORT}/")


async def fetch_again(url):
    if url in apigateway._jwks_cache:
        del apigateway._jwks_cache[url]
    return await fetch_jwks(url)


def create_budget(logical_id, props, stack_name):
    request = copy.deepcopy(props)
    budget = request["Budget"]
    budget.setdefault("BudgetName", provisioners._physical_name(stack_name, logical_id, max_len=100))
    budget["BudgetLimit"]["Amount"] = str(budget["BudgetLimit"]["Amount"])
    for entry in request.get("NotificationsWithSubscribers", []):
        entry["Notification"]["Threshold"] = float(entry["Notification"]["Threshold"])
    status, _, body = budgets._create_budget(request)
    if status != 200:
        raise ValueError(json.loads(body))
    return budget["BudgetName"], {}


def update_budget(name, old, new, stack_name):
    delete_budget(name, old)
    new = copy.deepcopy(new)
    new["Budget"]["BudgetName"] = name
    return create_budget("", new, stack_name)


def delete_budget(name, props):
    budgets._delete_budget({"BudgetName": name})


def metric_math_alarm(name, props):
    """The record of an alarm on an expression. The emulator evaluates none, so its state changes only by
    set-alarm-state."""
    if not props.get("Metrics"):
        return alarm_record(name, props)
    expressions = [m for m in props["Metrics"] if m.get("Expression")]
    record = alarm_record(name, dict(props, Metrics=None, Namespace="-", MetricName="-"))
    record.update(Namespace=None, MetricName=None, Metrics=props["Metrics"])
    if len(expressions) != 1 or any(m.get("ReturnData") for m in props["Metrics"] if not m.get("Expression")):
        raise ValueError("exactly one expression must return data")
    return record


def dispatch_where_allowed(alarm, old, new, reason):
    account = alarm["AlarmArn"].split(":")[4]

    def allowed(topic):
        return sns.topic_policy_allows(topic, "cloudwatch.amazonaws.com", alarm["AlarmArn"], account)

    names = ("AlarmActions", "OKActions", "InsufficientDataActions")
    kept = {name: [a for a in alarm.get(name) or [] if allowed(a)] for name in names}
    return dispatch_actions(dict(alarm, **kept), old, new, reason)


def create_route_response(logical_id, props, stack_name):
    route = props["RouteId"].split("/")[-1]
    status, _, body = apigateway._create_route_response(
        props["ApiId"], route, {"routeResponseKey": props["RouteResponseKey"]}
    )
    if status != 201:
        raise ValueError(json.loads(body))
    return json.loads(body)["routeResponseId"], {}


def delete_route_response(physical_id, props):
    apigateway._delete_route_response(props["ApiId"], props["RouteId"].split("/")[-1], physical_id)


async def invoke_and_remember(api_id, account_id, region, route, stage, connection_id, event_type, *args, **kwargs):
    """Remembers the subprotocol that the function selects for a new connection."""
    response = await invoke_socket_function(
        api_id, account_id, region, route, stage, connection_id, event_type, *args, **kwargs
    )
    answers = route.get("routeResponseSelectionExpression") == "$default"
    if event_type == "CONNECT" and answers:
        headers = {name.lower(): value for name, value in ((response or {}).get("headers") or {}).items()}
        subprotocol.set(headers.get("sec-websocket-protocol"))
    if event_type == "MESSAGE" and not answers:
        return None
    return response


async def handle_with_subprotocol(scope, receive, send, *args, **kwargs):
    async def select(message):
        if message["type"] == "websocket.accept" and subprotocol.get():
            message = dict(message, subprotocol=subprotocol.get())
        await send(message)

    await handle_socket(scope, receive, select, *args, **kwargs)


provisioners._RESOURCE_HANDLERS["AWS::ApiGatewayV2::RouteResponse"] = {
    "create": create_route_response,
    "delete": delete_route_response,
}
apigateway._cors_response_headers = as_stored_by_the_service(cors_headers)
apigateway._cors_preflight_response = as_stored_by_the_service(cors_preflight)
apigateway._invoke_ws_lambda = invoke_and_remember
apigateway.handle_websocket = handle_with_subprotocol
provisioners._RESOURCE_HANDLERS["AWS::Budgets::Budget"] = {
    "create": create_budget,
    "update": update_budget,
    "delete": delete_budget,
}
provisioners._cognito_user_pool_attributes = with_provider_url
provisioners._cw_metric_alarm_record = metric_math_alarm
cloudwatch._dispatch_alarm_actions = dispatch_where_allowed
apigateway._resolve_jwks_url = over_tls
apigateway._fetch_jwks = fetch_again
iam_actions.extract_iam_action = without_batch
app._port_is_bindable = lambda host, port: False
runpy.run_module("ministack", run_name="__main__")
