package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"

	"example.com/parley/infra/config"
	"example.com/parley/internal/doctor"
)

const (
	accountID = "123456789012"
	region    = "eu-west-1"
)

// answer is the stand-in's response to an operation.
type answer struct {
	status int
	body   string
}

// answers are the responses of an account without obstacles, by operation or path.
type answers map[string]answer

func healthy() answers {
	xml := func(operation, result string) answer {
		return answer{200, "<" + operation + "Response><" + operation + "Result>" + result + "</" + operation + "Result></" + operation + "Response>"}
	}
	return answers{
		"GetCallerIdentity":            xml("GetCallerIdentity", "<Account>"+accountID+"</Account><Arn>arn:aws:sts::"+accountID+":assumed-role/deploy/ada</Arn>"),
		"DescribeStacks":               {400, "<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id Parley-prod does not exist</Message></Error></ErrorResponse>"},
		"GetAccountPlanState":          {200, `{"accountId":"` + accountID + `","accountPlanType":"PAID","accountPlanStatus":"ACTIVE"}`},
		"/2016-08-19/account-settings": {200, `{"AccountLimit":{"ConcurrentExecutions":1000,"UnreservedConcurrentExecutions":1000}}`},
		"GetParameter":                 {200, `{"Parameter":{"Value":"30"}}`},
		"ListAttachedRolePolicies":     xml("ListAttachedRolePolicies", "<AttachedPolicies><member><PolicyName>ParleyDeploys</PolicyName></member></AttachedPolicies>"),
		"GetPolicy":                    xml("GetPolicy", "<Policy><Arn>arn:aws:iam::"+accountID+":policy/Boundary</Arn></Policy>"),
		"GetRole":                      xml("GetRole", "<Role><RoleName>cdk-deploys</RoleName></Role>"),
		"/2020-05-31/distribution":     {200, `<DistributionList><Quantity>1</Quantity></DistributionList>`},
		"/account":                     {200, `{"throttleSettings":{"rateLimit":10000.0}}`},
		"DescribeCertificate":          {200, `{"Certificate":{"Status":"ISSUED","SubjectAlternativeNames":["*.example.com"]}}`},
		"DescribeUserPoolDomain":       {200, `{"DomainDescription":{}}`},
		"/v2/email/account":            {200, `{"ProductionAccessEnabled":true}`},
		"DescribeBudgets":              {200, `{"Budgets":[]}`},
		"GetServiceQuota":              {400, `{"__type":"NoSuchResourceException","Message":"only the default"}`},
		"GetAWSDefaultServiceQuota":    {200, `{"Quota":{"Value":40000.0}}`},
	}
}

// standIn responds like AWS.
type standIn struct {
	answers answers
	mu      sync.Mutex
	asked   map[string]string // the scope of the signature, by operation
}

func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	operation := r.URL.Path
	if _, target, ok := strings.Cut(r.Header.Get("X-Amz-Target"), "."); ok {
		operation = target
	} else if form, err := url.ParseQuery(string(body)); err == nil && form.Has("Action") {
		operation = form.Get("Action")
	}
	_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "/")
	scope, _, _ = strings.Cut(scope, "/aws4_request")
	_, scope, _ = strings.Cut(scope, "/")
	s.mu.Lock()
	s.asked[operation] = scope
	s.mu.Unlock()
	a, known := s.answers[operation]
	if operation == "/account" && r.Header.Get("Accept") != "application/json" {
		a = answer{200, `{"_links":{}}`} // as for clients that accept any format
	}
	if !known {
		a = answer{400, ""}
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// everything is a configuration that needs every check: names, pages, mail and a budget.
func everything() config.Settings {
	certificate := func(region string) string {
		return "arn:aws:acm:" + region + ":" + accountID + ":certificate/12345678-1234-1234-1234-123456789012"
	}
	return config.Settings{
		Issuer: "own", SignUp: "self", RoomCreators: []string{"everyone"}, Origins: []string{"none"}, AlarmEmail: "ops@example.com",
		FeedReserved: 20, WarmWrites: 12_000,
		Account:     config.AccountRules{PermissionsBoundary: "Boundary", Tags: map[string]string{"owner": "chat", "cost": "4711"}},
		SignInPages: config.SignInPages{Prefix: "acme-chat"},
		Domain:      config.Domain{Name: "chat.example.com", Socket: "live.example.com", Certificate: certificate(region)},
		Page:        config.Page{Host: "cloudfront", Name: "www.example.com", Certificate: certificate("us-east-1")},
	}
}

// situation is an account and the deployment planned for it.
type situation struct {
	env      config.Env
	answers  answers
	settings config.Settings
	region   string
	node     string
	template string
	client   *http.Client
}

func sound() situation {
	return situation{env: config.Prod, answers: healthy(), settings: everything(), region: region, node: "v24.1.0", client: http.DefaultClient}
}

// options returns the options of a run in a situation, against a stand-in.
func (s situation) options(t *testing.T) (doctor.Options, *standIn) {
	t.Helper()
	in := &standIn{answers: maps.Clone(s.answers), asked: map[string]string{}}
	server := httptest.NewServer(in)
	t.Cleanup(server.Close)
	return doctor.Options{
		Env: s.env, Stated: map[config.Env]config.Settings{s.env: s.settings},
		AWS: aws.Config{
			Region: s.region, BaseEndpoint: aws.String(server.URL), HTTPClient: server.Client(),
			Credentials: credentials.NewStaticCredentialsProvider("id", "secret", ""),
		},
		Client: s.client, Clock: time.Now,
		Node: func(context.Context) (string, error) {
			if s.node == "" {
				return "", errors.New("not found")
			}
			return s.node + "\n", nil
		},
		Template: func(stack string) ([]byte, error) {
			if !strings.HasPrefix(stack, "Parley-"+string(s.env)) {
				return nil, fmt.Errorf("the template of %s was asked for", stack)
			}
			if s.template == "" {
				return nil, nil
			}
			return []byte(s.template), nil
		},
	}, in
}

// findings returns the findings of a run by check.
func (s situation) findings(t *testing.T) map[string]doctor.Finding {
	t.Helper()
	o, _ := s.options(t)
	all := map[string]doctor.Finding{}
	for _, f := range doctor.Run(t.Context(), o) {
		if _, twice := all[f.Check]; twice || f.Check == "" || f.Found == "" {
			t.Errorf("%+v", f)
		}
		all[f.Check] = f
	}
	return all
}
