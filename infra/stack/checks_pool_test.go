package stack_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

const (
	typeDomain         = "AWS::Cognito::UserPoolDomain"
	typeResourceServer = "AWS::Cognito::UserPoolResourceServer"
)

// checkPool checks the stack's own pool. It must admit the users that the settings admit, lose no
// user with the stack, and accept plain passwords in dev only.
func checkPool(i *inspection) {
	if !i.config.Tokens.OwnPool() {
		for _, kind := range []string{typePool, typeClient, typeDomain, typeResourceServer} {
			i.expect(len(i.ids(kind)) == 0, "a %s is unused", kind)
		}
		return
	}
	pool, client := i.Resources["UserPool"], i.Resources["UserPoolClient"]
	i.expect(pool.get("AdminCreateUserConfig", "AllowAdminCreateUserOnly") == !i.config.Pool.SelfSignUp, "who may sign up is not as configured")
	i.sameSet("verified attribute", texts(pool.get("AutoVerifiedAttributes")), []string{"email"})
	i.sameSet("attribute that stays until the new one is verified",
		texts(pool.get("UserAttributeUpdateSettings", "AttributesRequireVerificationBeforeUpdate")), []string{"email"})
	i.expect(get(pool.get("AccountRecoverySetting", "RecoveryMechanisms"), "0", "Name") == "verified_email", "a lost password can be recovered by more than a confirmed address")
	i.expect((pool.text("DeletionProtection") == "ACTIVE") == i.config.Table.DeletionProtection, "deletion protection of the pool")
	i.checkRemoval("UserPool", pool)
	i.checkRemoval("UserPoolClient", client)
	flows := []string{"ALLOW_USER_SRP_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"}
	if i.config.Pool.Passwords {
		flows = append(flows, "ALLOW_USER_PASSWORD_AUTH")
	}
	i.sameSet("sign-in", texts(client.get("ExplicitAuthFlows")), flows)
	i.expect(i.config.Pool.Passwords == (i.config.Env == "dev"), "passwords are sent as they are in %s: %v", i.config.Env, i.config.Pool.Passwords)
	i.expect(client.text("PreventUserExistenceErrors") == "ENABLED", "sign-in reveals which users exist")
	i.expect(client.get("EnableTokenRevocation") == true, "a refresh token cannot be revoked")
	i.checkPages(client)
	i.checkServices()
}

// checkPages checks that Cognito's pages are as configured, and issue nothing but codes.
func (i *inspection) checkPages(client resource) {
	pages := i.config.Pool.Pages
	if pages.Prefix == "" {
		i.sameSet("address of pages", i.ids(typeDomain), nil)
		i.expect(client.get("AllowedOAuthFlowsUserPoolClient") == false && client.get("AllowedOAuthFlows") == nil, "the client may use pages, but none exist")
		return
	}
	i.sameSet("address of pages", i.ids(typeDomain), []string{"SignInPages"})
	domain := i.Resources["SignInPages"]
	i.expect(domain.text("Domain") == pages.Prefix && ref(domain.get("UserPoolId")) == "UserPool", "the pages are %q of %q", domain.text("Domain"), ref(domain.get("UserPoolId")))
	i.expect(client.get("AllowedOAuthFlowsUserPoolClient") == true, "the client may not use the pages")
	i.sameSet("grant of the pages", texts(client.get("AllowedOAuthFlows")), []string{"code"})
	i.sameSet("scope", texts(client.get("AllowedOAuthScopes")), []string{"openid", "email", "profile"})
	i.sameSet("callback", rendered(client.get("CallbackURLs")), append(i.pageAddress(), pages.Callbacks...))
	i.sameSet("logout", rendered(client.get("LogoutURLs")), append(i.pageAddress(), pages.Logouts...))
	i.sameSet("provider", texts(client.get("SupportedIdentityProviders")), []string{"COGNITO"})
	i.expect(i.Outputs["SignInUrl"] != nil, "the address of the pages has no output")
}

// checkServices checks that services have a client only if that is configured. It has a secret,
// fetches tokens with the one scope for itself, and signs no user in.
func (i *inspection) checkServices() {
	if !i.config.Pool.Pages.ServiceClient {
		i.sameSet("client", i.ids(typeClient), []string{"UserPoolClient"})
		i.sameSet("resource server", i.ids(typeResourceServer), nil)
		return
	}
	i.sameSet("client", i.ids(typeClient), []string{"UserPoolClient", "ServiceClient"})
	i.sameSet("resource server", i.ids(typeResourceServer), []string{"Services"})
	server, client := i.Resources["Services"], i.Resources["ServiceClient"]
	i.expect(server.text("Identifier") == "parley" && ref(server.get("UserPoolId")) == "UserPool", "the resource server is %q", server.text("Identifier"))
	i.expect(len(list(server.get("Scopes"))) == 1 && get(server.get("Scopes"), "0", "ScopeName") == "act-as", "the scopes are %v", server.get("Scopes"))
	i.expect(client.get("GenerateSecret") == true && ref(client.get("UserPoolId")) == "UserPool", "the services' client has no secret")
	i.sameSet("grant of services", texts(client.get("AllowedOAuthFlows")), []string{"client_credentials"})
	var scopes []string
	for _, scope := range list(client.get("AllowedOAuthScopes")) {
		scopes = append(scopes, render(scope))
	}
	i.sameSet("scope of services", scopes, []string{"${Services}/act-as"})
	i.sameSet("sign-in of services", texts(client.get("ExplicitAuthFlows")), []string{"ALLOW_REFRESH_TOKEN_AUTH"})
	i.expect(client.DeletionPolicy == "Delete", "the services' client remains, and is billed, when it is switched off")
	i.expect(i.Outputs["ServiceClientId"] != nil, "the services' client has no output")
}

// identity are the properties that AWS never changes in an existing resource. A template that
// changes one creates a new, empty table or pool, or fails in the middle of an update. So they are
// stated here a second time, by logical id, as JSON; null stands for absent. No setting changes
// them.
var identity = map[string]map[string]string{
	"Table": {
		"TableName": `null`, "LocalSecondaryIndexes": `null`, "GlobalTableSourceArn": `null`,
		"KeySchema": `[{"AttributeName":"PK","KeyType":"HASH"},{"AttributeName":"SK","KeyType":"RANGE"}]`,
	},
	"LogTable": {
		"TableName": `null`, "LocalSecondaryIndexes": `null`, "GlobalTableSourceArn": `null`,
		"KeySchema": `[{"AttributeName":"device","KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}]`,
	},
	"UserPool": {
		"AliasAttributes": `["email"]`, "UsernameAttributes": `null`, "UsernameConfiguration": `{"CaseSensitive":false}`,
		"Schema": `[{"Mutable":true,"Name":"email","Required":true}]`,
	},
	"UserPoolClient": {"GenerateSecret": `false`, "UserPoolId": `{"Ref":"UserPool"}`},
}

// checkIdentity checks that each resource with data is the same in every version of the template.
func checkIdentity(i *inspection) {
	for id, properties := range identity {
		r, ok := i.Resources[id]
		if !ok {
			continue // other checks report missing resources
		}
		i.expect(slices.Contains(irreplaceable, r.Type), "%s is now an %s", id, r.Type)
		for name, want := range properties {
			i.expect(sameJSON(r.get(name), want), "%s: %s is %v, and %s before: AWS replaces it, and everything in it is gone from sight", id, name, r.get(name), want)
		}
	}
}

// identityFaults change each of these properties.
func identityFaults(t template) []change {
	var all []change
	for id, properties := range identity {
		if _, ok := t.Resources[id]; !ok {
			continue
		}
		for name := range properties {
			all = append(all, change{fmt.Sprintf("another %s of %s", name, id), set(id, name, "another")})
		}
	}
	return all
}

func sameJSON(v any, text string) bool {
	var want any
	if err := json.Unmarshal([]byte(text), &want); err != nil {
		panic(err)
	}
	return reflect.DeepEqual(v, want)
}

// poolFaults open the user pool, or lock its users out.
func poolFaults(d deployment) []change {
	if !d.config.Tokens.OwnPool() {
		return []change{{"an unused pool", func(t template) { t.Resources["UserPool"] = resource{Type: typePool} }}}
	}
	client := func(key string, value any) func(template) { return set("UserPoolClient", key, value) }
	all := []change{
		{"the opposite sign-up", set("UserPool", "AdminCreateUserConfig", map[string]any{"AllowAdminCreateUserOnly": d.config.Pool.SelfSignUp})},
		{"unconfirmed addresses", set("UserPool", "AutoVerifiedAttributes", []any{})},
		{"a new address that applies before its confirmation", set("UserPool", "UserAttributeUpdateSettings", nil)},
		{"recovery by telephone", set("UserPool", "AccountRecoverySetting", map[string]any{
			"RecoveryMechanisms": []any{map[string]any{"Name": "verified_phone_number", "Priority": 1.0}}})},
		{"no recovery", set("UserPool", "AccountRecoverySetting", nil)},
		{"the opposite rule for plain passwords", func(t template) {
			flows := []any{"ALLOW_USER_SRP_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"}
			if !d.config.Pool.Passwords {
				flows = append(flows, "ALLOW_USER_PASSWORD_AUTH")
			}
			client("ExplicitAuthFlows", flows)(t)
		}},
		{"a sign-in that reveals which users exist", client("PreventUserExistenceErrors", "LEGACY")},
		{"tokens that outlive a sign-out", client("EnableTokenRevocation", false)},
		{"tokens in addresses", client("AllowedOAuthFlows", []any{"code", "implicit"})},
		{"a client that is removed without its pool, or the other way round", func(t template) {
			r := t.Resources["UserPoolClient"]
			r.DeletionPolicy = map[string]string{"Retain": "Delete", "Delete": "Retain"}[r.DeletionPolicy]
			t.Resources["UserPoolClient"] = r
		}},
	}
	if d.config.Pool.Pages.Prefix != "" {
		all = append(all,
			change{"pages of another client", client("AllowedOAuthFlowsUserPoolClient", false)},
			change{"a callback to anywhere", client("CallbackURLs", []any{"https://evil.example.com/"})},
			change{"a logout to anywhere", client("LogoutURLs", []any{"https://evil.example.com/"})},
			change{"a scope that changes users", client("AllowedOAuthScopes", []any{"openid", "email", "profile", "aws.cognito.signin.user.admin"})},
			change{"another provider", client("SupportedIdentityProviders", []any{"COGNITO", "Facebook"})},
			change{"pages at another address", set("SignInPages", "Domain", "another")})
	}
	if d.config.Pool.Pages.ServiceClient {
		services := func(key string, value any) func(template) { return set("ServiceClient", key, value) }
		scopes := d.template.Resources["ServiceClient"].get("AllowedOAuthScopes")
		all = append(all,
			change{"a client of services that remains", func(t template) {
				r := t.Resources["ServiceClient"]
				r.DeletionPolicy = "Retain"
				t.Resources["ServiceClient"] = r
			}},
			change{"services without a secret", services("GenerateSecret", false)},
			change{"services that sign users in", services("ExplicitAuthFlows", []any{"ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_PASSWORD_AUTH"})},
			change{"users who become services", client("AllowedOAuthScopes", scopes)},
			change{"a code for services", services("AllowedOAuthFlows", []any{"client_credentials", "code"})},
			change{"a scope of users for services", services("AllowedOAuthScopes", []any{"openid"})},
			change{"another scope", set("Services", "Scopes", []any{map[string]any{"ScopeName": "act"}})},
			change{"another resource server", set("Services", "Identifier", "chat")})
	}
	return all
}
