package stack_test

import (
	"encoding/json"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	shared "example.com/parley/internal/config"
	"example.com/parley/internal/publickey"
)

const typeIssuerFiles = "Custom::IssuerFiles"

// The public keys of an app. Nobody has their private keys.
const (
	firstKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAqvdTEDp1M/eNQJi5ncse
9X8Y4tvA/eq6d8xsWRSeY3UPBx7FyX0mvYtQ5q99vFbEFFv6Cy8WuphVdGbgLKDb
fYmMOcuDQatfuMu2x7/uuDQjvv2uC2cnwgD36FG0eNHJ2IlLCN4qdd4wUrtJiokx
Y3sfXkgDIWXFXn/4lLtv+5g7yVR44bYqzffM1RvddMl0+0xtimRVGEG5KqAk6VQP
6l0P/K9KDRGii5bW9S8sEIgijGNJivMGOGsgQjY9Ght0Mv8Di1vEKM5aVHEf9iMV
XJYx1upDH6MaZQm1gufYpc/4XpjY8ByyhbcZg9RUMCt4SUrEckAkW7h8HPHzKIp+
vQIDAQAB
-----END PUBLIC KEY-----`
	nextKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA6dxWCmzaTP22aFhNViKD
bRqp/gTHdFR7LQa6GM0rIvgSu0oofhq2CC/CpZKA1Q9X5I6lI5YQZHLGSa2ngV6B
rro8fIebUtN5k2fG2LZhFLrRS2OhfCW02eThqzHRAtg74el4N9jmBbPDH/jOJIIp
ZokE+gp/cRr78hmeuGTmNX8vd3xxbaHRvA60xIEFkXj9oTayENm6OndU5WLnOd/C
iGFUD+hlvKxhlYU+wfNUNV/VwadO/igzZf/FNRnkpQNfgzUGYn0i3nTGjuwWKEAp
Qa06dBukqf+23vw4ffqLgCcwh8hNDSOKhytjTYo1cfHQpHXSF03QHdJ/1U/EDtz5
+QIDAQAB
-----END PUBLIC KEY-----`
)

// withKeys accepts the tokens that an app signs with either of two keys, whose users are in another
// claim. A webhook receives its alarms.
func withKeys() config.Settings {
	s := explicit()
	s.Issuer, s.SignUp = config.Keys, ""
	s.Keys = []config.Key{{ID: "2026-01", PEM: firstKey}, {PEM: nextKey}}
	s.UserClaim = "uid"
	s.AlarmEmail = "https://hooks.example.com/parley/1f0c"
	return s
}

// withKeysAndPage also serves the web app, whose people sign in to the app.
func withKeysAndPage() config.Settings {
	s := withKeys()
	s.Page = config.Page{Host: config.CloudFront, AvatarHosts: []string{"pictures.example.com"}, SignIn: config.PageSignIn{
		Authorize: "https://id.example.com/authorize", Token: "https://id.example.com/token", Revoke: "https://tokens.example.com/revoke", Client: "chat",
	}}
	return s
}

// checkKeys checks that the stack publishes the keys of the app, and only these, under the address
// that the authorizers accept as the issuer.
func checkKeys(i *inspection) {
	if !i.config.Tokens.OwnKeys() {
		i.expect(len(i.ids(typeIssuerFiles)) == 0 && i.Outputs["Issuer"] == nil, "keys are published, but the app signs no tokens")
		return
	}
	i.sameSet("documents of the issuer", i.ids(typeIssuerFiles), []string{"IssuerFiles"})
	f := i.Resources["IssuerFiles"]
	i.expect(render(f.get("ServiceToken")) == "${PageFunction.Arn}", "the documents are written by %s", render(f.get("ServiceToken")))
	i.expect(f.text("Keep") == map[bool]string{true: "true", false: "false"}[i.config.Table.Retain], "the documents are kept: %q", f.text("Keep"))
	i.expect(f.text("ServiceTimeout") != "" && atLeast(f.text("ServiceTimeout"), 3*i.Resources["PageFunction"].number("Timeout")), "a deploy waits for %q s", f.text("ServiceTimeout"))
	i.expect(render(get(i.Outputs["Issuer"], "Value")) == i.issuer(), "the output Issuer is %q", render(get(i.Outputs["Issuer"], "Value")))
	i.expect(render(f.get("Address")) == i.issuer(), "the writer asks %q for the documents", render(f.get("Address")))
	documents, _ := f.get("Documents").(map[string]any)
	i.expect(len(documents) == 2, "there are %d documents", len(documents))
	var about struct {
		Issuer string `json:"issuer"`
		Keys   string `json:"jwks_uri"`
	}
	err := json.Unmarshal([]byte(render(documents[".well-known/openid-configuration"])), &about)
	i.expect(err == nil && about.Issuer == i.issuer() && about.Keys == i.issuer()+"/.well-known/jwks.json", "the issuer is described as %+v, %v", about, err)
	i.checkKeySet(render(documents[".well-known/jwks.json"]))
}

func (i *inspection) checkKeySet(text string) {
	var set struct{ Keys []map[string]string }
	err := json.Unmarshal([]byte(text), &set)
	i.expect(err == nil && len(set.Keys) == len(i.config.Tokens.Keys), "the key set is %s, %v", text, err)
	for n, k := range set.Keys {
		key, err := publickey.Parse(i.config.Tokens.Keys[n].ID, i.config.Tokens.Keys[n].PEM)
		i.expect(err == nil && k["kid"] == key.ID && k["kty"] == "RSA" && k["alg"] == "RS256" && k["use"] == "sig" && len(k) == 6, "key %d is %v, %v", n, k, err)
	}
}

// checkUserClaim checks that a deploy with another claim is refused, unless its parameter says the
// same as the settings. The parameter begins as the default.
func checkUserClaim(i *inspection) {
	recorded := i.Parameters["UserClaim"]
	i.expect(get(recorded, "Type") == "String" && get(recorded, "Default") == shared.UserClaim, "the recorded claim is %v", recorded)
	rule := get(i.Rules["SameUserClaim"], "Assertions", "0")
	i.expect(sameJSON(get(rule, "Assert"), `{"Fn::Equals":[{"Ref":"UserClaim"},"`+i.config.Tokens.UserClaim+`"]}`), "a claim passes by %v", get(rule, "Assert"))
	i.expect(get(i.Rules["SameUserClaim"], "RuleCondition") == nil, "the rule has a condition")
	text, _ := get(rule, "AssertDescription").(string)
	i.expect(text != "" && len(text) <= maxAssertion, "the refusal has %d characters", len(text))
}

// maxAssertion is long enough for a sentence that says what to do.
const maxAssertion = 400

// keysFaults publish other keys, at another address, too late or in the wrong order, or let a claim
// change unnoticed.
func keysFaults(d deployment) []change {
	claims := []change{
		{"no memory of the claim", func(t template) { delete(t.Parameters, "UserClaim") }},
		{"a memory that begins with another claim", func(t template) {
			t.Parameters["UserClaim"].(map[string]any)["Default"] = "uid" + d.config.Tokens.UserClaim
		}},
		{"no rule about the claim", func(t template) { delete(t.Rules, "SameUserClaim") }},
		{"a rule that always holds", func(t template) {
			list(get(t.Rules["SameUserClaim"], "Assertions"))[0].(map[string]any)["Assert"] = map[string]any{"Fn::Equals": []any{"a", "a"}}
		}},
	}
	if !d.config.Tokens.OwnKeys() {
		return append(claims, change{"keys that nobody uses", func(t template) { t.Resources["IssuerFiles"] = resource{Type: typeIssuerFiles} }})
	}
	document := func(name, text string) func(template) {
		return func(t template) {
			t.Resources["IssuerFiles"].get("Documents").(map[string]any)[".well-known/"+name] = text
		}
	}
	authorizer := d.template.of("Api", typeAuthorizer)[0]
	return append(claims, []change{
		{"no key", document("jwks.json", `{"keys":[]}`)},
		{"another key", document("jwks.json", `{"keys":[{"kid":"a"},{"kid":"b"}]}`)},
		{"another issuer", document("openid-configuration", `{"issuer":"https://evil.example","jwks_uri":"https://evil.example/jwks.json"}`)},
		{"a third document", document("index.html", "<script>")},
		{"documents of another function", set("IssuerFiles", "ServiceToken", map[string]any{"Fn::GetAtt": []any{"WriteFunction", "Arn"}})},
		{"the opposite rule for the documents", set("IssuerFiles", "Keep", "false")},
		{"documents that nobody asks for", set("IssuerFiles", "Address", "https://example.com")},
		{"a deploy that gives up early", set("IssuerFiles", "ServiceTimeout", "10")},
		{"an authorizer that does not wait for the keys", without(authorizer, "IssuerFiles")},
		{"documents that CloudFront may not read yet", without("IssuerFiles", d.template.policiesOf("PageBucket")[0])},
	}...)
}

// TestNew_EveryKeysFaultIsCaught applies each fault to every deployment.
func TestNew_EveryKeysFaultIsCaught(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, d deployment) { catchAll(t, d, n) })
}

// catchAll fails for each fault of the keys and of the order that no check notices.
func catchAll(t *testing.T, d deployment, n needs) {
	t.Helper()
	for _, c := range append(keysFaults(d), orderFaults(d.template)...) {
		changed := clone(t, d.template)
		c.apply(changed)
		by := noticed(inspect(changed, n, d.config))
		if len(by) == 0 {
			t.Errorf("no check notices: %s", c.what)
		}
		t.Logf("%-60s %s", c.what, strings.Join(by, ", "))
	}
}

// without removes one explicit dependency of a resource.
func without(id, dependency string) func(template) {
	return func(t template) {
		r := t.Resources[id]
		var kept []any
		for _, on := range list(r.DependsOn) {
			if on != dependency {
				kept = append(kept, on)
			}
		}
		r.DependsOn = kept
		t.Resources[id] = r
	}
}

// TestNew_KeysKeepTheirAddressWithAPage adds the web app to a deployment whose tokens the app signs.
// What gives the issuer its address must stay, because all tokens name it.
func TestNew_KeysKeepTheirAddressWithAPage(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	d, err := synthesize(variant{env: config.Prod, settings: withKeysAndPage()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range inspect(d.template, n, d.config) {
		t.Errorf("%s: %s", f.check, f.complaint)
	}
	for _, complaint := range append(exceeded(d), d.broken...) {
		t.Error(complaint)
	}
	catchAll(t, d, n)
	keyed := deployments["keys"].template
	for _, id := range []string{"PageBucket", "PageDistribution", "PageAccess", "IssuerFiles"} {
		if with, without := d.template.Resources[id].Type, keyed.Resources[id].Type; with == "" || with != without {
			t.Errorf("%s is a %q with the web app, and a %q without it", id, with, without)
		}
	}
	if with, without := render(d.template.Outputs["Issuer"]), render(keyed.Outputs["Issuer"]); with != without {
		t.Errorf("the issuer is %s with the web app, and %s without it", with, without)
	}
}
