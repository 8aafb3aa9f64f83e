package doctor_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/doctor"
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
