package stack_test

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

// finding is one defect of a template.
type finding struct{ check, complaint string }

// inspection is one run of the checks over one template.
type inspection struct {
	template
	needs    needs
	config   config.Config
	check    string
	findings []finding
	// routesByKey has the logical ids of the HTTP API's routes, once routeByKey has read them.
	routesByKey map[string][]string
}

func (i *inspection) expect(ok bool, format string, args ...any) {
	if !ok {
		i.findings = append(i.findings, finding{i.check, fmt.Sprintf(format, args...)})
	}
}

// at returns a text, such as "${Table.Arn}", with the stack's own tables replaced by those that the
// deployment adopts.
func (i *inspection) at(text string) string {
	adopt := func(id, arn string) {
		if arn != "" {
			text = strings.ReplaceAll(text, "${"+id+".Arn}", arn)
			text = strings.ReplaceAll(text, "${"+id+"}", path.Base(arn))
		}
	}
	if stream := i.config.Table.AdoptStream; stream != "" {
		text = strings.ReplaceAll(text, "${Table.StreamArn}", stream)
	}
	adopt("Table", config.TableOf(i.config.Table.AdoptStream))
	adopt("LogTable", i.config.Table.AdoptLog)
	if name := i.config.Table.AdoptFiles; name != "" {
		text = strings.NewReplacer("${FilesBucket.Arn}", "arn:${AWS::Partition}:s3:::"+name, "${FilesBucket}", name).Replace(text)
	}
	return text
}

// stackName returns the name of the stack, with which all its names in the account begin.
func (i *inspection) stackName() string {
	return strings.TrimSuffix("Parley-"+string(i.config.Env)+"-"+i.config.Suffix, "-")
}

// sameSet adds a finding for each element that only one of two lists has.
func (i *inspection) sameSet(what string, got, want []string) {
	for _, w := range want {
		i.expect(slices.Contains(got, w), "%s: %s is missing", what, w)
	}
	for _, g := range got {
		i.expect(slices.Contains(want, g), "%s: %s is too much", what, g)
	}
}

// checks are the rules for every template, beyond the CDK's own.
var checks = []struct {
	name string
	run  func(*inspection)
}{
	{"references", checkReferences},
	{"order of creation", checkOrder},
	{"routes", checkRoutes},
	{"tokens", checkTokens},
	{"invocation", checkInvocation},
	{"functions", checkFunctions},
	{"variables", checkVariables},
	{"collector", checkCollector},
	{"grants", checkGrants},
	{"rights", checkRights},
	{"connections", checkConnections},
	{"wildcards", checkWildcards},
	{"table", checkTable},
	{"activity log", checkLogTable},
	{"live table", checkLiveTable},
	{"mapping", checkMappings},
	{"filters of the outbox", checkOutboxFilters},
	{"filters", checkFilters},
	{"readers first", checkReadersFirst},
	{"queue", checkQueue},
	{"deliveries", checkDeliveries},
	{"timers", checkTimers},
	{"stage", checkStage},
	{"socket routes", checkSocketRoutes},
	{"socket tokens", checkSocketTokens},
	{"socket stage", checkSocketStage},
	{"gateway's logs", checkGatewayLogs},
	{"domain", checkDomain},
	{"page", checkPage},
	{"keys", checkKeys},
	{"user claim", checkUserClaim},
	{"files", checkFiles},
	{"throttles", checkThrottles},
	{"logs", checkLogs},
	{"pool", checkPool},
	{"identity", checkIdentity},
	{"schedules", checkSchedules},
	{"canary", checkCanary},
	{"sweep", checkSweep},
	{"alarms", checkAlarms},
	{"metrics of logs", checkLogMetrics},
	{"alarm topic", checkTopic},
	{"budget", checkBudget},
	{"dashboard", checkDashboard},
	{"outputs", checkOutputs},
	{"account", checkAccount},
}

func inspect(t template, n needs, cfg config.Config) []finding {
	i := &inspection{template: t.sorted(), needs: n, config: cfg}
	for _, c := range checks {
		i.check = c.name
		c.run(i)
	}
	return i.findings
}

func TestNew_PassesEveryCheck(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, d deployment) {
		for _, f := range inspect(d.template, n, d.config) {
			t.Errorf("%s: %s", f.check, f.complaint)
		}
	})
}

// checkReferences checks that every referenced resource exists.
func checkReferences(i *inspection) {
	known := func(id string) bool {
		_, isResource := i.Resources[id]
		_, isParameter := i.Parameters[id]
		return isResource || isParameter || strings.HasPrefix(id, "AWS::")
	}
	for id, r := range i.Resources {
		for _, to := range refs(r.Properties) {
			i.expect(known(to), "%s refers to %s, which is not there", id, to)
		}
		for _, to := range list(r.DependsOn) {
			i.expect(known(to.(string)), "%s depends on %s, which is not there", id, to)
		}
	}
	for _, to := range refs(i.Outputs) {
		i.expect(known(to), "an output refers to %s, which is not there", to)
	}
}

// functionIDs returns the logical ids of the functions.
func (i *inspection) functionIDs() []string {
	var ids []string
	for _, id := range i.functions() {
		ids = append(ids, id+"Function")
	}
	return ids
}

// before returns the resources that CloudFormation creates before a resource, by logical id.
func (t template) before(id string) map[string]bool {
	all := map[string]bool{}
	var visit func(id string)
	visit = func(id string) {
		r := t.Resources[id]
		on := refs(r.Properties)
		for _, d := range list(r.DependsOn) {
			on = append(on, d.(string))
		}
		for _, d := range on {
			if _, known := t.Resources[d]; known && !all[d] {
				all[d] = true
				visit(d)
			}
		}
	}
	visit(id)
	return all
}

// slow are resources that take long, one after another, in every environment.
var slow = []string{"LiveTable", "FeedRole", "FeedFunction", "FeedMapping"}

// checkOrder checks that API Gateway gets a role or an issuer only after the slow resources, and that
// the role and the pool themselves wait for nothing.
func checkOrder(i *inspection) {
	settled := slices.Concat(i.of("Api", typeAuthorizer), i.ids(typeGatewayAccount))
	i.expect(len(settled) == map[bool]int{true: 2, false: 1}[i.config.Logs.OwnGatewayRole], "the resources to create late are %v", settled)
	for _, id := range settled {
		before := i.before(id)
		for _, s := range slow {
			i.expect(before[s], "%s may be created before %s: API Gateway may not see its role or issuer yet", id, s)
		}
	}
	if all := i.of("Api", typeAuthorizer); i.config.Tokens.OwnKeys() && len(all) > 0 { // settled counts them
		before := i.before(all[0])
		for _, id := range append([]string{"IssuerFiles", "PageDistribution"}, i.policiesOf("PageBucket")...) {
			i.expect(before[id], "the authorizer may be created before %s: API Gateway would find no keys", id)
		}
	}
	for _, id := range []string{"GatewayLogsRole", "UserPool"} {
		i.expect(len(i.before(id)) == 0, "%s is created late, so that what uses it may not see it yet", id)
	}
}

// policiesOf returns the ids of the policies of a bucket.
func (t template) policiesOf(bucket string) []string {
	return slices.DeleteFunc(t.ids(typeBucketPolicy), func(id string) bool { return ref(t.Resources[id].get("Bucket")) != bucket })
}

// independent removes the explicit dependencies of a resource.
func independent(id string) func(template) {
	return func(t template) {
		r := t.Resources[id]
		r.DependsOn = nil
		t.Resources[id] = r
	}
}

// orderFaults create a resource too early, or too late what it uses.
func orderFaults(t template) []change {
	role := func(t template) {
		r := t.Resources["GatewayLogsRole"]
		r.DependsOn = "FeedMapping"
		t.Resources["GatewayLogsRole"] = r
	}
	return []change{
		{"an account that follows its role immediately", independent("GatewayAccount")},
		{"an authorizer that follows its pool immediately", independent(t.of("Api", typeAuthorizer)[0])},
		{"a role that is created late", role},
	}
}
