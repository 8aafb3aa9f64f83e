"""Starts MiniStack with what it lacks beside AWS. doc.go lists the deviations."""

import runpy

from ministack import app
from ministack.services import apigateway
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


provisioners._cognito_user_pool_attributes = with_provider_url
apigateway._resolve_jwks_url = over_tls
app._port_is_bindable = lambda host, port: False
runpy.run_module("ministack", run_name="__main__")
