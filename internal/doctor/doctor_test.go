package doctor_test

import (
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/doctor"
	"example.com/parley/internal/test/templates"
)

func TestRun_FindsNothingInTheWay(t *testing.T) {
	t.Parallel()
	all := sound().findings(t)
	for name, f := range all {
		if f.Status != doctor.OK {
			t.Errorf("%s is %s: %s", name, f.Status, f.Found)
		}
	}
	for _, name := range []string{"settings", "identity", "place", "stack", "sizes"} {
		if _, ok := all[name]; !ok {
			t.Errorf("%s is not checked", name)
		}
	}
}

// TestRun_AsksOnlyForWhatIsNeeded uses settings that need no name, no page and no mail.
func TestRun_AsksOnlyForWhatIsNeeded(t *testing.T) {
	t.Parallel()
	s := sound()
	s.settings = config.Settings{
		Issuer: "own", SignUp: "admin", RoomCreators: []string{"everyone"}, Origins: []string{"none"}, AlarmEmail: "none", FeedReserved: config.Unreserved,
	}
	o, in := s.options(t)
	if all := doctor.Run(t.Context(), o); doctor.Blocked(all) {
		t.Errorf("%+v", all)
	}
	for _, operation := range []string{"GetPolicy", "DescribeCertificate", "DescribeUserPoolDomain", "/v2/email/account", "DescribeBudgets", "/2020-05-31/distribution"} {
		if _, asked := in.asked[operation]; asked {
			t.Errorf("%s was called", operation)
		}
	}
}

func TestRun_SignsForEachService(t *testing.T) {
	t.Parallel()
	o, in := sound().options(t)
	doctor.Run(t.Context(), o)
	want := map[string]string{
		"GetCallerIdentity": "eu-west-1/sts", "DescribeStacks": "eu-west-1/cloudformation", "GetAccountPlanState": "us-east-1/freetier",
		"/2016-08-19/account-settings": "eu-west-1/lambda", "GetParameter": "eu-west-1/ssm", "ListAttachedRolePolicies": "us-east-1/iam",
		"GetPolicy": "us-east-1/iam", "GetRole": "us-east-1/iam",
		"/2020-05-31/distribution": "us-east-1/cloudfront", "/account": "eu-west-1/apigateway", "DescribeUserPoolDomain": "eu-west-1/cognito-idp",
		"/v2/email/account": "eu-west-1/ses", "DescribeBudgets": "us-east-1/budgets", "GetServiceQuota": "eu-west-1/servicequotas",
		"GetAWSDefaultServiceQuota": "eu-west-1/servicequotas",
	}
	delete(in.asked, "DescribeCertificate") // in two Regions
	if !maps.Equal(in.asked, want) {
		t.Errorf("the calls were %v", in.asked)
	}
}

// elsewhere is a transport that records the hosts of requests and sends them to a stand-in.
type elsewhere struct {
	to    string
	mu    sync.Mutex
	hosts map[string]bool
}

func (e *elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	e.mu.Lock()
	e.hosts[r.URL.Host] = true
	e.mu.Unlock()
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host = "http", e.to
	return http.DefaultTransport.RoundTrip(r)
}

// TestRun_CallsEachServiceAtItsOwnAddress configures no common endpoint.
func TestRun_CallsEachServiceAtItsOwnAddress(t *testing.T) {
	t.Parallel()
	o, _ := sound().options(t)
	e := &elsewhere{to: strings.TrimPrefix(*o.AWS.BaseEndpoint, "http://"), hosts: map[string]bool{}}
	o.AWS.BaseEndpoint, o.AWS.HTTPClient = nil, &http.Client{Transport: e}
	for _, f := range doctor.Run(t.Context(), o) {
		if f.Status != doctor.OK {
			t.Errorf("%+v", f)
		}
	}
	want := []string{
		"acm.eu-west-1.amazonaws.com", "acm.us-east-1.amazonaws.com", "apigateway.eu-west-1.amazonaws.com", "budgets.amazonaws.com",
		"cloudformation.eu-west-1.amazonaws.com", "cloudfront.amazonaws.com", "cognito-idp.eu-west-1.amazonaws.com", "email.eu-west-1.amazonaws.com",
		"freetier.us-east-1.api.aws", "iam.amazonaws.com", "lambda.eu-west-1.amazonaws.com", "servicequotas.eu-west-1.amazonaws.com",
		"ssm.eu-west-1.amazonaws.com", "sts.eu-west-1.amazonaws.com",
	}
	if got := slices.Sorted(maps.Keys(e.hosts)); !slices.Equal(got, want) {
		t.Errorf("the hosts were %q, want %q", got, want)
	}
}

// TestRun_CallsNothingInARefusedRegion ends before the first call, whose address would be wrong.
func TestRun_CallsNothingInARefusedRegion(t *testing.T) {
	t.Parallel()
	s := sound()
	s.region = "eusc-de-east-1"
	o, in := s.options(t)
	all := doctor.Run(t.Context(), o)
	if last := all[len(all)-1]; last.Check != "place" || last.Status != doctor.Blocker || last.Do == "" {
		t.Errorf("%+v", all)
	}
	if len(in.asked) > 0 {
		t.Errorf("the calls were %v", in.asked)
	}
}

// TestRun_CallsGovCloudAtItsAddresses states only what GovCloud has. IAM has an address and a Region
// of its own there, and accounts have no plans.
func TestRun_CallsGovCloudAtItsAddresses(t *testing.T) {
	t.Parallel()
	s := sound()
	s.region, s.settings = "us-gov-east-1", config.Settings{
		Issuer: "own", SignUp: "admin", RoomCreators: []string{"everyone"}, Origins: []string{"none"}, AlarmEmail: "none", FeedReserved: 20,
		Account: config.AccountRules{PermissionsBoundary: "Boundary"},
	}
	o, in := s.options(t)
	e := &elsewhere{to: strings.TrimPrefix(*o.AWS.BaseEndpoint, "http://"), hosts: map[string]bool{}}
	o.AWS.BaseEndpoint, o.AWS.HTTPClient = nil, &http.Client{Transport: e}
	for _, f := range doctor.Run(t.Context(), o) {
		if f.Status != doctor.OK {
			t.Errorf("%+v", f)
		}
		if f.Check == "account rules" && !strings.Contains(f.Found, "arn:aws-us-gov:iam::"+accountID+":policy/Boundary") {
			t.Errorf("the boundary is another: %s", f.Found)
		}
	}
	want := []string{
		"apigateway.us-gov-east-1.amazonaws.com", "cloudformation.us-gov-east-1.amazonaws.com", "iam.us-gov.amazonaws.com",
		"lambda.us-gov-east-1.amazonaws.com", "servicequotas.us-gov-east-1.amazonaws.com", "ssm.us-gov-east-1.amazonaws.com",
		"sts.us-gov-east-1.amazonaws.com",
	}
	if got := slices.Sorted(maps.Keys(e.hosts)); !slices.Equal(got, want) {
		t.Errorf("the hosts were %q, want %q", got, want)
	}
	if scope := in.asked["GetRole"]; scope != "us-gov-west-1/iam" {
		t.Errorf("a call of IAM was signed for %s", scope)
	}
}

func TestPrint_IsATableWithWhatToDo(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	err := doctor.Print(&out, []doctor.Finding{
		{Check: "identity", Status: doctor.OK, Found: "ada"},
		{Check: "budget", Status: doctor.Blocker, Found: "two\nlines", Do: "ask"},
		{Check: "plan", Status: doctor.Unread, Found: "cannot read"},
	})
	const want = "identity  ok       ada\nbudget    BLOCKER  two lines\n                   → ask\nplan      unread   cannot read\n\n1 blocker, 0 notes, 1 unread\n"
	if err != nil || out.String() != want {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// needed are the permissions that the calls of a run need, by operation.
var needed = map[string]string{
	"DescribeStacks": "cloudformation:DescribeStacks", "GetAccountPlanState": "freetier:GetAccountPlanState",
	"/2016-08-19/account-settings": "lambda:GetAccountSettings", "GetParameter": "ssm:GetParameter",
	"GetPolicy": "iam:GetPolicy", "GetRole": "iam:GetRole",
	"ListAttachedRolePolicies": "iam:ListAttachedRolePolicies", "/2020-05-31/distribution": "cloudfront:ListDistributions",
	"/account": "apigateway:GET", "DescribeCertificate": "acm:DescribeCertificate", "DescribeUserPoolDomain": "cognito-idp:DescribeUserPoolDomain",
	"/v2/email/account": "ses:GetAccount", "DescribeBudgets": "budgets:ViewBudget", "GetServiceQuota": "servicequotas:GetServiceQuota",
	"GetAWSDefaultServiceQuota": "servicequotas:GetAWSDefaultServiceQuota",
}

// TestRun_NamesTheMissingRight refuses each call in the form of each protocol.
func TestRun_NamesTheMissingRight(t *testing.T) {
	t.Parallel()
	for operation, right := range needed {
		for _, body := range []string{
			"<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>",
			`{"__type":"com.amazon.coral.service#AccessDeniedException","Message":"no"}`,
			`{"code":"AccessDeniedException:http://internal","message":"no"}`,
		} {
			s := sound()
			s.answers[operation] = answer{http.StatusForbidden, body}
			all := slices.Collect(maps.Values(s.findings(t)))
			if doctor.Blocked(all) || !slices.ContainsFunc(all, func(f doctor.Finding) bool {
				return f.Status == doctor.Unread && f.Found == "cannot read: needs "+right
			}) {
				t.Errorf("%s with %s: %+v", operation, body, all)
			}
		}
	}
}

// TestRun_ReportsAServiceThatDoesNotAnswer gives a response of no known form to every call except
// the first.
func TestRun_ReportsAServiceThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := sound()
	s.answers = answers{"GetCallerIdentity": s.answers["GetCallerIdentity"]}
	all := s.findings(t)
	if f := all["bootstrap"]; f.Status != doctor.Unread || f.Found != "cannot read: ssm:GetParameter was answered with 400" {
		t.Errorf("%+v", f)
	}
	if doctor.Blocked(slices.Collect(maps.Values(all))) {
		t.Errorf("%+v", all)
	}
}

// row matches a row of the table of checks. Its groups are the names, and the rights.
var row = regexp.MustCompile(`(?m)^\| ([A-Za-z][A-Za-z, -]*) \|.*\|([^|]*)\|$`)

// TestChecks_AreInTheDocumentation compares the table of docs/operations.md with the checks of a run and
// the rights of its calls.
func TestChecks_AreInTheDocumentation(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## The doctor\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names, stated []string
	for _, r := range row.FindAllStringSubmatch(section, -1) {
		if r[1] != "check" {
			names = append(names, strings.Split(r[1], ", ")...)
		}
		for _, right := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(r[2], -1) {
			stated = append(stated, right[1])
		}
	}
	slices.Sort(names)
	if want := slices.Sorted(maps.Keys(sound().findings(t))); !slices.Equal(names, want) {
		t.Errorf("docs/operations.md has the checks %q, want %q", names, want)
	}
	slices.Sort(stated)
	if want := slices.Sorted(maps.Values(needed)); !slices.Equal(stated, want) {
		t.Errorf("docs/operations.md has the rights %q, want %q", stated, want)
	}
	for _, name := range []string{"lambda:GetEventSourceMapping", "cloudformation:ListStackResources", "logs:FilterLogEvents", "lambda:InvokeFunction", doctor.Guest, doctor.RoomName} {
		if !strings.Contains(section, name) {
			t.Errorf("docs/operations.md lacks %s", name)
		}
	}
}

// TestRun_KnowsTheStackByItsName compares the name with the synthesized one.
func TestRun_KnowsTheStackByItsName(t *testing.T) {
	t.Parallel()
	text, err := templates.Read("../..", "prod")
	if err != nil {
		t.Fatal(err)
	}
	if f := sound().findings(t)["stack"]; !strings.HasPrefix(f.Found, "Parley-prod does not") || !strings.Contains(string(text), `"aws:cdk:path": "Parley-prod/`) {
		t.Errorf("the stack is not found by its name: %s", f.Found)
	}
}
