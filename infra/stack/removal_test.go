package stack_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"example.com/parley/internal/test/nightly"
)

// changesEach is how many changes of a template stand for one that make test tries. It is prime, so
// that the deployments and the kinds of changes, which repeat, take turns.
const changesEach = 23

// change modifies a template in one way.
type change struct {
	what  string
	apply func(template)
}

// TestNew_EveryRemovalIsCaught removes every route, variable, grant, permission, resource and
// output, and every property of the mapping, the queue and the alarms, one at a time. The checks
// must notice each removal. The golden templates do not count. With -v it shows which check notices
// what. make test tries one removal in changesEach.
func TestNew_EveryRemovalIsCaught(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, d deployment) {
		tryAll(t, d, n, removals(d.template))
	})
}

// tryAll applies each change to an intact template.
func tryAll(t *testing.T, d deployment, n needs, changes []change) {
	t.Helper()
	if f := inspect(d.template, n, d.config); len(f) > 0 {
		t.Fatalf("the template has findings before anything is changed: %v", f)
	}
	tried := 0
	for i, c := range changes {
		if !nightly.One(i, changesEach) {
			continue
		}
		tried++
		changed := clone(t, d.template)
		c.apply(changed)
		by := noticed(inspect(changed, n, d.config))
		if len(by) == 0 {
			t.Errorf("no check notices: %s", c.what)
		}
		t.Logf("%-95s %s", c.what, strings.Join(by, ", "))
	}
	t.Logf("%d of %d changes", tried, len(changes))
}

// noticed returns the checks with findings.
func noticed(findings []finding) []string {
	by := map[string]bool{}
	for _, f := range findings {
		by[f.check] = true
	}
	return slices.Sorted(maps.Keys(by))
}

// clone copies a template, so that the original stays intact.
func clone(t *testing.T, from template) template {
	t.Helper()
	to := from
	to.Resources = make(map[string]resource, len(from.Resources))
	for id, r := range from.Resources {
		r.Properties, _ = copied(r.Properties).(map[string]any)
		r.DependsOn, r.Metadata = copied(r.DependsOn), copied(r.Metadata)
		to.Resources[id] = r
	}
	to.Parameters, _ = copied(from.Parameters).(map[string]any)
	to.Outputs, _ = copied(from.Outputs).(map[string]any)
	to.Rules, _ = copied(from.Rules).(map[string]any)
	return to
}

// copied copies a value through JSON.
func copied(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		m := make(map[string]any, len(v))
		for key, e := range v {
			m[key] = copied(e)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for n, e := range v {
			l[n] = copied(e)
		}
		return l
	}
	return v
}

func removals(t template) []change {
	var all []change
	for _, id := range slices.Sorted(maps.Keys(t.Resources)) {
		name := id
		if key := t.Resources[id].text("RouteKey"); key != "" {
			name = key
		}
		all = append(all, change{t.Resources[id].Type + " " + name, func(t template) { delete(t.Resources, id) }})
	}
	for _, id := range t.ids(typeRoute) {
		key := t.Resources[id].text("RouteKey")
		for _, property := range []string{"AuthorizationType", "AuthorizerId", "Target", "RouteResponseSelectionExpression"} {
			if t.Resources[id].get(property) != nil {
				all = append(all, change{property + " of " + key, func(t template) { delete(t.Resources[id].Properties, property) }})
			}
		}
	}
	for _, kind := range []string{typeMapping, typeQueue, typeQueuePolicy, typeAlarm, typeTopicPolicy, typeSubscription, typeBudget, typeDashboard, typeRule, typeInvoke, typeRouteResponse, typeGatewayAccount, typeMetricFilter, typeBucket, typeBucketPolicy, typePageAccess, typePageFiles, typeIssuerFiles} {
		for _, id := range t.ids(kind) {
			all = append(all, propertyRemovals(t, id)...)
		}
	}
	all = append(all, throttleRemovals(t)...)
	all = append(all, socketRemovals(t)...)
	all = append(all, pageRemovals(t)...)
	for n := range list(t.Resources["FeedMapping"].get("FilterCriteria", "Filters")) {
		all = append(all, change{fmt.Sprintf("filter %d", n+1), func(t template) {
			criteria := t.Resources["FeedMapping"].get("FilterCriteria").(map[string]any)
			criteria["Filters"] = slices.Delete(list(criteria["Filters"]), n, n+1)
		}})
	}
	for _, id := range t.ids(typeFunction) {
		all = append(all, variableRemovals(t, id)...)
	}
	for _, reader := range []string{"FeedFunction", "FeedMapping"} {
		all = append(all, change{"the write function waiting for " + reader, func(t template) {
			write := t.Resources["WriteFunction"]
			write.DependsOn = slices.DeleteFunc(list(write.DependsOn), func(id any) bool { return id == reader })
			t.Resources["WriteFunction"] = write
		}})
	}
	for _, id := range t.ids(typeRole) {
		all = append(all, grantRemovals(t, id)...)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Outputs)) {
		all = append(all, change{"output " + name, func(t template) { delete(t.Outputs, name) }})
	}
	return all
}

func propertyRemovals(t template, id string) []change {
	var all []change
	for _, name := range slices.Sorted(maps.Keys(t.Resources[id].Properties)) {
		all = append(all, change{name + " of " + id, func(t template) { delete(t.Resources[id].Properties, name) }})
	}
	return all
}

func throttles(t template) map[string]any {
	return t.Resources["Stage"].get("RouteSettings").(map[string]any)
}

// throttleRemovals removes each route's throttle, each of its halves, and the stage's dependencies.
func throttleRemovals(t template) []change {
	var all []change
	for _, key := range slices.Sorted(maps.Keys(throttles(t))) {
		all = append(all, change{"throttle of " + key, func(t template) { delete(throttles(t), key) }})
		for _, limit := range []string{"ThrottlingRateLimit", "ThrottlingBurstLimit"} {
			all = append(all, change{limit + " of " + key, func(t template) { delete(throttles(t)[key].(map[string]any), limit) }})
		}
		all = append(all, change{"the stage waiting for " + key, func(t template) {
			stage := t.Resources["Stage"]
			stage.DependsOn = slices.DeleteFunc(list(stage.DependsOn), func(id any) bool { return id == t.routeID(key) })
			t.Resources["Stage"] = stage
		}})
	}
	return all
}

func variables(t template, id string) map[string]any {
	return t.Resources[id].get("Environment", "Variables").(map[string]any)
}

func variableRemovals(t template, id string) []change {
	var all []change
	for _, name := range slices.Sorted(maps.Keys(variables(t, id))) {
		all = append(all, change{"variable " + name + " of " + id, func(t template) { delete(variables(t, id), name) }})
	}
	return all
}

func statements(t template, id string) []any {
	return list(t.Resources[id].get("Policies", "0", "PolicyDocument", "Statement"))
}

// grantRemovals removes each action of each statement, its name and its conditions.
func grantRemovals(t template, id string) []change {
	var all []change
	for n, s := range statements(t, id) {
		for _, action := range texts(get(s, "Action")) {
			what := fmt.Sprintf("grant %s on %s of %s", action, render(get(s, "Resource")), id)
			all = append(all, change{what, func(t template) {
				s := statements(t, id)[n].(map[string]any)
				s["Action"] = slices.DeleteFunc(list(s["Action"]), func(a any) bool { return a == action })
			}})
		}
		for _, key := range []string{"Sid", "Condition"} {
			if get(s, key) != nil {
				all = append(all, change{fmt.Sprintf("%s of %v of %s", key, get(s, "Sid"), id), func(t template) {
					delete(statements(t, id)[n].(map[string]any), key)
				}})
			}
		}
	}
	return all
}
