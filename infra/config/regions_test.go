package config_test

import (
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
