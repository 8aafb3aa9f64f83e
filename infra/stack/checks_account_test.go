package stack_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"
	"github.com/google/go-cmp/cmp"

	"example.com/parley/infra/config"
	"example.com/parley/infra/stack"
)

// tagged has the path of the tags in each type of resource that accepts tags, as the template reference
// of CloudFormation states it.
var tagged = map[string][]string{
	"AWS::ApiGatewayV2::Api": {"Tags"}, typeDomainName: {"Tags"}, typeStage: {"Tags"},
	typeBudget: {"ResourceTags"}, typeDistribution: {"Tags"}, typeAlarm: {"Tags"}, typeDashboard: {"Tags"},
	typePool: {"UserPoolTags"}, typeTable: {"Replicas", "0", "Tags"}, typeRule: {"Tags"}, typeRole: {"Tags"},
	typeFunction: {"Tags"}, typeMapping: {"Tags"}, typeLogs: {"Tags"}, typeBucket: {"Tags"},
	typeTopic: {"Tags"}, typeQueue: {"Tags"},
}

// tagless are the types of resources that accept no tags.
var tagless = []string{
	typeGatewayAccount, typeAPIMapping, typeAuthorizer, typeIntegration, typeRoute, typeRouteResponse,
	typePageAccess, typeHeaders,
	typeClient, typeDomain, typeResourceServer,
	typeInvoke, typePermission, typeMetricFilter, typeBucketPolicy, typeSubscription, typeTopicPolicy, typeQueuePolicy,
}

// checkAccount checks that the company's rules apply to each resource, and that there are none by
// default.
func checkAccount(i *inspection) {
	rules := i.config.Account
	want := rules.PermissionsBoundary
	if want != "" && !strings.HasPrefix(want, "arn:") {
		want = "arn:${AWS::Partition}:iam::${AWS::AccountId}:policy/" + want
	}
	for id, r := range i.Resources {
		if r.Type == typeRole {
			got := r.get("PermissionsBoundary")
			i.expect(got == nil && want == "" || got != nil && render(got) == want, "%s has the boundary %v, want %q", id, got, want)
		}
		path, accepts := tagged[r.Type]
		if !accepts {
			i.expect(strings.HasPrefix(r.Type, "Custom::") || slices.Contains(tagless, r.Type), "%s is a %s: does it accept tags?", id, r.Type)
			continue
		}
		got := tagsOf(r.get(path...))
		i.expect(maps.Equal(got, rules.Tags), "%s has the tags %v, want %v", id, got, rules.Tags)
	}
}

// tagsOf returns tags by their keys, from either form in which CloudFormation accepts them.
func tagsOf(v any) map[string]string {
	tags := map[string]string{}
	if m, ok := v.(map[string]any); ok {
		for key, value := range m {
			tags[key], _ = value.(string)
		}
		return tags
	}
	for _, e := range list(v) {
		key, _ := get(e, "Key").(string)
		tags[key], _ = get(e, "Value").(string)
	}
	return tags
}

// accountFaults leave out the company's rules, or add some.
func accountFaults(t template) []change {
	var all []change
	for _, id := range t.ids(typeRole) {
		all = append(all, change{"another boundary of " + id, set(id, "PermissionsBoundary", "arn:aws:iam::aws:policy/AdministratorAccess")})
	}
	for _, kind := range slices.Sorted(maps.Keys(tagged)) {
		path := tagged[kind]
		for _, id := range t.ids(kind) {
			all = append(all, change{"another tag of " + id, func(t template) {
				r := t.Resources[id]
				if r.Properties == nil { // every property has its default
					r.Properties = map[string]any{}
					t.Resources[id] = r
				}
				top := r.Properties
				if len(path) > 1 {
					top = t.Resources[id].get(path[:len(path)-1]...).(map[string]any)
				}
				top[path[len(path)-1]] = []any{map[string]any{"Key": "owner", "Value": "nobody"}}
			}})
		}
	}
	return all
}

// TestNew_TagsTheStack checks the tags of the stack itself, which the template lacks, also in an app
// whose stacks do not inherit tags.
func TestNew_TagsTheStack(t *testing.T) {
	for _, name := range []string{"adopted", "prod"} {
		cfg := deployments[name].config
		app := awscdk.NewApp(&awscdk.AppProps{
			Outdir: jsii.String(t.TempDir()), Context: &map[string]any{"@aws-cdk/core:explicitStackTags": true},
		})
		d := stack.New(app, stack.Props{Config: cfg, Bundle: stub})
		got := map[string]string{}
		for key, value := range *d.Stack.Tags().TagValues() {
			got[key] = *value
		}
		want := cfg.Account.Tags
		if want == nil {
			want = map[string]string{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: the stack has other tags:\n%s", name, diff)
		}
	}
}

// TestNew_AccountChangesOnlyItsRules compares the templates with and without a company's rules.
func TestNew_AccountChangesOnlyItsRules(t *testing.T) {
	v := variants["own"]
	v.settings.Account = config.AccountRules{}
	plain, err := synthesize(v)
	if err != nil {
		t.Fatal(err)
	}
	with := clone(t, deployments["own"].template)
	for _, r := range with.Resources {
		delete(r.Properties, "PermissionsBoundary")
		if path := tagged[r.Type]; len(path) > 1 {
			delete(r.get(path[:len(path)-1]...).(map[string]any), path[len(path)-1])
		} else if path != nil {
			delete(r.Properties, path[0])
		}
	}
	bare := deployment{template: with}
	if diff := cmp.Diff(plain.golden(t), bare.golden(t)); diff != "" {
		t.Errorf("the rules of an account change more than boundaries and tags:\n%s", diff)
	}
}
