package stack_test

import "slices"

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
