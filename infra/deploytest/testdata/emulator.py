"""Starts MiniStack with what it lacks beside AWS. doc.go lists the deviations."""

import copy
import json
import runpy

from ministack import app
from ministack.services import apigateway, budgets
from ministack.services.cloudformation import provisioners

user_pool_attributes = provisioners._cognito_user_pool_attributes
jwks_url = apigateway._resolve_jwks_url


def with_provider_url(pool):
    attributes = user_pool_attributes(pool)
    attributes.setdefault("ProviderURL", "https://" + attributes["ProviderName"])
    return attributes


async def over_tls(authorizer):
    url = await jwks_url(authorizer)
    plain = f"http://{apigateway._HOST}:{apigateway._PORT}/"
    return url and url.replace(plain, f"https://127.0.0.1:{apigateway._PORT}/")


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


provisioners._RESOURCE_HANDLERS["AWS::Budgets::Budget"] = {
    "create": create_budget,
    "update": update_budget,
    "delete": delete_budget,
}
provisioners._cognito_user_pool_attributes = with_provider_url
apigateway._resolve_jwks_url = over_tls
app._port_is_bindable = lambda host, port: False
runpy.run_module("ministack", run_name="__main__")
