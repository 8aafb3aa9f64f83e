package config_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"example.com/parley/infra/config"
)

// TestConfigIn_RefusesWhatTheRegionLacks states only the settings that need a service.
func TestConfigIn_RefusesWhatTheRegionLacks(t *testing.T) {
	t.Parallel()
	nothing := func(*config.Settings) {}
	otherIssuer := func(s *config.Settings) {
		s.Issuer, s.Audience, s.SignUp = "https://id.example", []string{"https://chat.example.com"}, ""
	}
	mail := func(s *config.Settings) { s.AlarmEmail = "ops@example.com" }
	pages := func(s *config.Settings) {
		s.SignInPages = config.SignInPages{Prefix: "acme-chat", Callbacks: []string{"https://chat.example.com/in"}}
	}
	tests := []struct {
		name, region string
		change       func(*config.Settings)
		want         string // "" if it can be deployed
	}{
		{"an API", "eu-west-1", nothing, ""},
		{"everything", "eu-west-1", func(s *config.Settings) { withPage(s); mail(s) }, ""},
		{"an API without HTTP APIs", "ap-east-2", nothing, "nothing can be deployed in ap-east-2, where API Gateway has no HTTP APIs"},
		{"an API without HTTP APIs", "mx-central-1", otherIssuer, "nothing can be deployed in mx-central-1"},
		{"an API in China", "cn-northwest-1", otherIssuer, "nothing can be deployed in cn-northwest-1: API Gateway in China serves live delivery only to owners of a registration (ICP)"},
		{"an API in the European Sovereign Cloud", "eusc-de-east-1", otherIssuer, "nothing can be deployed in eusc-de-east-1: the functions and the doctor do not know the addresses of the European Sovereign Cloud"},
		{"an API in an isolated cloud", "us-isob-east-1", otherIssuer, "nothing can be deployed in us-isob-east-1: the functions and the doctor do not know the addresses of AWS's isolated clouds"},
		{"an API in an isolated cloud in Europe", "eu-isoe-west-1", otherIssuer, "nothing can be deployed in eu-isoe-west-1"},
		{"a pool in GovCloud", "us-gov-west-1", nothing, ""},
		{"a page in GovCloud", "us-gov-west-1", ofIssuer, "Page is not possible in us-gov-west-1, where CloudFront does not exist"},
		{"sign-in pages in GovCloud", "us-gov-east-1", pages, "SignInPages are not possible in us-gov-east-1"},
		{"sign-in pages", "us-east-1", pages, ""},
		{"a budget without budgets", "eu-north-1", mail, "MonthlyBudget must be config.NoBudget in eu-north-1, where CloudFormation cannot create budgets"},
		{"mails without budgets", "eu-north-1", func(s *config.Settings) { mail(s); s.MonthlyBudget = config.NoBudget }, ""},
		{"no mails without budgets", "eu-north-1", nothing, ""},
		{"everything, in a Region that is unknown", "", func(s *config.Settings) { withPage(s); mail(s) }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.region, func(t *testing.T) {
			t.Parallel()
			s := explicit()
			tt.change(&s)
			c, err := s.Resolve(config.Prod)
			if err != nil {
				t.Fatal(err)
			}
			if _, err = c.In("", tt.region); tt.want == "" && err != nil {
				t.Error(err)
			} else if tt.want != "" {
				wantError(t, err, "infra/settings/prod.go: "+tt.want)
			}
		})
	}
}

// TestConfigIn_NamesEveryProblem joins what a Region lacks with its quota.
func TestConfigIn_NamesEveryProblem(t *testing.T) {
	t.Parallel()
	s := explicit()
	s.Rate, s.AlarmEmail = 5_000, "ops@example.com"
	c, err := s.Resolve(config.Prod)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.In("", "mx-central-1")
	for _, want := range []string{"no HTTP APIs", "MonthlyBudget must be", "Rate is 5000"} {
		wantError(t, err, want)
	}
}

func TestTable_ConnectRate(t *testing.T) {
	t.Parallel()
	for writes, want := range map[int]int{0: 48, 4_000: 48, 12_000: 145, 40_000: 483, 100_000: 500} {
		if got := (config.Table{WarmWrites: writes}).ConnectRate(); got != want {
			t.Errorf("with %d warm writes, %d connections a second are accepted, want %d", writes, got, want)
		}
	}
}

// TestQuotas_StateTheConnectRate computes what the guides state of a reconnect.
func TestQuotas_StateTheConnectRate(t *testing.T) {
	t.Parallel()
	const people = 20_000
	fresh, warm := config.Table{}.ConnectRate(), config.Table{WarmWrites: 12_000}.ConnectRate()
	minutes := func(rate int) float64 { return math.Round(2*people/float64(rate)/60) / 2 }
	for page, all := range map[string][]string{
		"quotas.md": {
			fmt.Sprintf("accepts %d new connections a second", fresh), fmt.Sprintf("brings 20,000 people back in %v minutes", minutes(fresh)),
			fmt.Sprintf("`WarmWrites: 12_000` it accepts %d, and they are back in %v minutes", warm, minutes(warm)),
			fmt.Sprintf("A hello with 30 rooms writes %d units", config.HelloWrites),
		},
		"deploy.md":   {fmt.Sprintf("A throttle allows %d new connections a second", fresh)},
		"settings.md": {fmt.Sprintf("%d without it, and %d with 12,000", fresh, warm)},
	} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for _, sentence := range all {
			if !strings.Contains(strings.Join(strings.Fields(string(text)), " "), sentence) {
				t.Errorf("docs/%s does not say: %s", page, sentence)
			}
		}
	}
}
