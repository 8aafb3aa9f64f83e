package stack_test

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
