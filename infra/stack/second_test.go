package stack_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

// second are the settings of a deployment that is not the first one in its account. It has everything
// that has a name, and is in a Region without budgets.
func second() config.Settings {
	s := explicit()
	s.AlarmEmail, s.MonthlyBudget = "ops@example.com", config.NoBudget
	s.Canary = true
	s.Logs.Gateway = config.Account
	s.SignInPages = config.SignInPages{Prefix: "acme-chat", ServiceClient: true}
	s.Page = config.Page{Host: config.CloudFront}
	s.Domain = config.Domain{Name: "api.example.com", Only: true, Certificate: "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"}
	return s
}

// longestSuffix is as long as a suffix may be.
const longestSuffix = "abcdefgh-1234567"

// unshared are the types of resources whose names belong to another resource of the stack.
var unshared = []string{typeAuthorizer, "AWS::Cognito::UserPoolResourceServer"}

// unsharedKeys are keys of properties that are names within one resource or one metric's namespace, or,
// for DomainName, a name that the team states.
var unsharedKeys = []string{"AttributeName", "IndexName", "StageName", "MetricName", "PolicyName", "Dimensions.Name", "Schema.Name", "RecoveryMechanisms.Name", "DomainName"}

// names returns the names that a template gives in the account, by "resource.path". A name that refers
// to the stack's name, or to a resource of the stack, is nobody else's.
func (t template) names() map[string]string {
	all := map[string]string{}
	add := func(path, name string) {
		if !slices.ContainsFunc(unsharedKeys, func(key string) bool { return strings.HasSuffix(path, "."+key) }) {
			all[path] = name
		}
	}
	for id, r := range t.Resources {
		if !slices.Contains(unshared, r.Type) {
			named(r.Properties, id, add)
		}
		if r.Type == typeDomain {
			add(id+".Domain", r.text("Domain"))
		}
	}
	for id, output := range t.Outputs {
		named(get(output, "Export"), "Outputs."+id, add)
	}
	return all
}

// named calls visit for each property whose key is a name or ends with one.
func named(v any, path string, visit func(path, name string)) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			named(e, path, visit)
		}
	case map[string]any:
		for key, e := range v {
			at := path + "." + key
			if strings.HasSuffix(key, "Name") || strings.HasSuffix(key, "Namespace") {
				if name := render(e); !strings.Contains(name, "${AWS::StackName}") && !refersToOwn(e) {
					visit(at, name)
				}
				continue
			}
			named(e, at, visit)
		}
	}
}

// refersToOwn reports whether a value refers to a resource.
func refersToOwn(v any) bool {
	return slices.ContainsFunc(refs(v), func(id string) bool { return !strings.HasPrefix(id, "AWS::") })
}

// TestNew_SharesNoNameWithASecondDeployment synthesizes the same settings twice, with and without a
// suffix.
func TestNew_SharesNoNameWithASecondDeployment(t *testing.T) {
	settings := second()
	first, err := synthesize(variant{env: config.Prod, settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	settings.Suffix = longestSuffix
	other, err := synthesize(variant{env: config.Prod, settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	names := other.template.names()
	for path, name := range first.template.names() {
		if !strings.HasPrefix(name, "AWS/") && slices.Contains(values(names), name) {
			t.Errorf("both deployments have the name %q (%s)", name, path)
		}
	}
	for _, want := range []string{"Parley-prod-" + longestSuffix, "Parley-prod-" + longestSuffix + "-FeedAge", "acme-chat-" + longestSuffix} {
		if !slices.Contains(values(names), want) {
			t.Errorf("nothing has the name %q: %v", want, names)
		}
	}
	if len(names) < 40 {
		t.Errorf("only %d names were compared", len(names))
	}
	checkSecond(t, other)
}

func values(m map[string]string) []string { return slices.Collect(maps.Values(m)) }

// checkSecond checks the second deployment as the others, and its sizes with the longest name.
func checkSecond(t *testing.T, d deployment) {
	t.Helper()
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range inspect(d.template, n, d.config) {
		t.Errorf("%s: %s", f.check, f.complaint)
	}
	for _, complaint := range append(exceeded(d), d.broken...) {
		t.Error(complaint)
	}
}
