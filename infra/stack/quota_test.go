package stack_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/parley/infra/stack"
)

// quota is a limit of AWS on a part of the stack. The stack stays well below it, so that there is
// time to change the design.
type quota struct {
	what string
	most int // that the stack may have
	aws  int // that AWS allows
	page string
	// measure returns the sizes of the parts, by logical id. The id of the whole is "".
	measure func(sizing, deployment) (map[string]int, error)
}

const (
	lambdaPage         = "https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html"
	filterPage         = "https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html"
	iamPage            = "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html"
	gatewayPage        = "https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html"
	cloudFormationPage = "https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html"
)

// otherVariables is what config.VariableTexts leave of the bytes of variables.
const otherVariables = 1_000

var quotas = []quota{
	{"bytes of the function's policy", 16_384, 20_480, lambdaPage, functionPolicies},
	{"characters of the role's policies", 8_192, 10_240, iamPage, rolePolicies},
	{"bytes of variables", 4_000, 4_096, lambdaPage, variableBytes},
	{"bytes of variables except settings of any length", otherVariables, 1_096, lambdaPage, otherVariableBytes},
	{"resources", 400, 500, cloudFormationPage, func(s sizing, _ deployment) (map[string]int, error) {
		return map[string]int{"": len(s.Resources)}, nil
	}},
	{"routes", 250, 300, gatewayPage, func(s sizing, _ deployment) (map[string]int, error) {
		return map[string]int{"Api": len(s.of("Api", typeRoute)), "SocketApi": len(s.of("SocketApi", typeRoute))}, nil
	}},
	{"filters", 5, 5, filterPage, func(s sizing, _ deployment) (map[string]int, error) { // full: a new kind of record joins another's pattern
		return map[string]int{"FeedMapping": len(list(s.Resources["FeedMapping"].get("FilterCriteria", "Filters")))}, nil
	}},
	{"bytes of the template", 800_000, 1_000_000, cloudFormationPage, func(_ sizing, d deployment) (map[string]int, error) {
		return map[string]int{"": len(d.text)}, nil
	}},
}

// functionPolicies measures the policy that permissions form on each function, as Lambda shows it.
func functionPolicies(s sizing, _ deployment) (map[string]int, error) {
	statements := map[string][]any{}
	for _, id := range s.ids(typePermission) {
		resolved, err := s.resolve(s.Resources[id].Properties)
		if err != nil {
			return nil, err
		}
		p := resolved.(map[string]any)
		function := ref(s.Resources[id].get("FunctionName"))
		statements[function] = append(statements[function], map[string]any{
			"Sid": s.name(id, 100), "Effect": "Allow", "Principal": map[string]any{"Service": p["Principal"]}, "Action": p["Action"], "Resource": p["FunctionName"],
			"Condition": map[string]any{"ArnLike": map[string]any{"AWS:SourceArn": p["SourceArn"]}},
		})
	}
	sizes := map[string]int{}
	for function, all := range statements {
		sizes[function] = jsonBytes(map[string]any{"Version": "2012-10-17", "Id": "default", "Statement": all})
	}
	return sizes, nil
}

// rolePolicies measures the inline policies of each role, of which IAM counts all characters but
// white space.
func rolePolicies(s sizing, _ deployment) (map[string]int, error) {
	sizes := map[string]int{}
	for _, id := range s.ids(typeRole) {
		for _, p := range list(s.Resources[id].get("Policies")) {
			document, err := s.resolve(get(p, "PolicyDocument"))
			if err != nil {
				return nil, err
			}
			sizes[id] += jsonBytes(document)
		}
	}
	return sizes, nil
}

// variableBytes measures the variables of each function as JSON, which is what Lambda counts.
func variableBytes(s sizing, _ deployment) (map[string]int, error) {
	sizes := map[string]int{}
	for _, id := range s.ids(typeFunction) {
		all, err := s.resolve(s.Resources[id].get("Environment", "Variables"))
		if err != nil {
			return nil, err
		}
		sizes[id] = jsonBytes(all)
	}
	return sizes, nil
}

// otherVariableBytes leaves out the settings whose length infra/config limits to 3,000 bytes.
func otherVariableBytes(s sizing, d deployment) (map[string]int, error) {
	sizes, err := variableBytes(s, d)
	if err != nil {
		return nil, err
	}
	for _, v := range d.config.VariableTexts() {
		for _, folder := range v.Functions {
			id := functions[folder] + "Function"
			if sizes[id] == 0 {
				return nil, fmt.Errorf("%s: there is no function %s", v.Setting, folder)
			}
			sizes[id] -= v.Bytes()
		}
	}
	return sizes, nil
}

// jsonBytes returns the length of a value as JSON, without white space outside of texts.
func jsonBytes(v any) int {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // the value was decoded from JSON
	}
	return len(bytes.TrimSpace(b.Bytes()))
}

// exceeded returns a complaint for each part of a deployment that is larger than it may be.
func exceeded(d deployment) []string {
	s := sizing{template: d.template, stack: stack.Name(d.config)}
	var complaints []string
	for _, q := range quotas {
		sizes, err := q.measure(s, d)
		if err != nil {
			complaints = append(complaints, fmt.Sprintf("%s: %v", q.what, err))
			continue
		}
		for _, id := range slices.Sorted(maps.Keys(sizes)) {
			if sizes[id] > q.most {
				complaints = append(complaints, fmt.Sprintf("%s has %d %s; AWS allows %d, of which the stack may use %d: see %s",
					part(id), sizes[id], q.what, q.aws, q.most, q.page))
			}
		}
	}
	return complaints
}

// part returns the name of a part in a complaint.
func part(id string) string {
	if id == "" {
		return "the stack"
	}
	return id
}

// TestNew_StaysWithinQuotas shows all sizes with -v.
func TestNew_StaysWithinQuotas(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		for _, complaint := range exceeded(d) {
			t.Error(complaint)
		}
		for _, q := range quotas {
			sizes, _ := q.measure(sizing{template: d.template, stack: stack.Name(d.config)}, d)
			t.Logf("%s, %d allowed: %v", q.what, q.aws, sizes)
		}
	})
}

// TestQuotas_AreOnTheQuotasPage compares the numbers. The page does not list the variables that are
// no settings.
func TestQuotas_AreOnTheQuotasPage(t *testing.T) {
	text := readText(t, filepath.Join(root, "docs", "quotas.md"))
	for _, q := range quotas {
		row := fmt.Sprintf("(%s)) | %s | %s |\n", q.page, thousands(q.aws), thousands(q.most))
		if q.most != otherVariables && !strings.Contains(text, row) {
			t.Errorf("%s: the page has no row with %q", q.what, row)
		}
	}
}

// thousands formats a number below a billion with commas.
func thousands(n int) string {
	if n < 1_000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1_000), n%1_000)
}

// TestNew_ExceedsEachQuota makes one part at a time larger than it may be.
func TestNew_ExceedsEachQuota(t *testing.T) {
	repeated := func(id string, n int) func(*deployment) {
		return func(d *deployment) {
			for i := range n {
				d.template.Resources[fmt.Sprintf("%sCopy%d", id, i)] = d.template.Resources[id]
			}
		}
	}
	variable := func(id string, n int) func(*deployment) {
		return func(d *deployment) { variables(d.template, id)["PARLEY_ADDED"] = strings.Repeat("a", n) }
	}
	for _, tt := range []struct {
		part, what, page string
		apply            func(*deployment)
	}{
		{"ReadFunction", "bytes of the function's policy", lambdaPage, repeated("ReadPermission", 45)},
		{"FeedRole", "characters of the role's policies", iamPage, func(d *deployment) { repeatStatements(d.template, "FeedRole", 2) }},
		{"WriteFunction", "bytes of variables", lambdaPage, variable("WriteFunction", 3_700)},
		{"WriteFunction", "bytes of variables except settings of any length", lambdaPage, variable("WriteFunction", 700)},
		{"the stack", "resources", cloudFormationPage, repeated("Table", 300)},
		{"Api", "routes", gatewayPage, repeated(deployments["prod"].template.routeID("GET /{proxy+}"), 240)},
		{"FeedMapping", "filters", filterPage, func(d *deployment) {
			criteria := d.template.Resources["FeedMapping"].get("FilterCriteria").(map[string]any)
			criteria["Filters"] = append(list(criteria["Filters"]), map[string]any{})
		}},
		{"the stack", "bytes of the template", cloudFormationPage, func(d *deployment) { d.text = slices.Concat(d.text, make([]byte, 700_000)) }},
	} {
		t.Run(tt.what, func(t *testing.T) {
			d := deployments["prod"]
			d.template = clone(t, d.template)
			tt.apply(&d)
			if complaints := exceeded(d); !slices.ContainsFunc(complaints, func(c string) bool {
				return strings.HasPrefix(c, tt.part+" has ") && strings.Contains(c, " "+tt.what+"; AWS allows ") && strings.HasSuffix(c, tt.page)
			}) {
				t.Errorf("no complaint about %s of %s: %q", tt.what, tt.part, complaints)
			}
		})
	}
	if len(quotas) != 8 {
		t.Errorf("there are %d quotas: exceed each", len(quotas))
	}
}

// repeatStatements makes a role's policy n times as long.
func repeatStatements(t template, id string, n int) {
	policy := t.Resources[id].get("Policies", "0", "PolicyDocument").(map[string]any)
	policy["Statement"] = slices.Repeat(list(policy["Statement"]), n)
}
