package config_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/bill"
)

// TestResolve_NamesTheInvalidSetting covers each rule once. Every message begins with the file and
// the setting as it is spelled there.
func TestResolve_NamesTheInvalidSetting(t *testing.T) {
	t.Parallel()
	provider := func(issuer string, audience ...string) func(*config.Settings) {
		return func(s *config.Settings) { s.Issuer, s.Audience = issuer, audience }
	}
	origins := func(all ...string) func(*config.Settings) {
		return func(s *config.Settings) { s.Origins = all }
	}
	types := func(all ...string) func(*config.Settings) {
		return func(s *config.Settings) { s.Files.Types = all }
	}
	domain := func(name, certificate string) func(*config.Settings) {
		return func(s *config.Settings) { s.Domain = config.Domain{Name: name, Certificate: certificate} }
	}
	socketDomain := func(name string) func(*config.Settings) {
		return func(s *config.Settings) {
			s.Domain = config.Domain{Name: "chat.example.com", Certificate: aCertificate, Socket: name}
		}
	}
	alarms := func(recipient string) func(*config.Settings) {
		return func(s *config.Settings) { s.AlarmEmail = recipient }
	}
	tests := []refusal{
		{"more room creators than variables hold", func(s *config.Settings) { s.RoomCreators = users(82) }, "RoomCreators is too long: with NameClaim, Files.Types and Adopt it has 3044 bytes"},
		{"more audiences than variables hold", provider("https://id.example", slices.Repeat([]string{strings.Repeat("a", 60)}, 50)...), "Audience is too long: with Issuer and Adopt it has"},
		{"more origins than variables hold", origins(slices.Repeat([]string{"https://chat.example.com"}, 121)...), "Origins is too long: with Issuer, Audience and Page it has"},
		{"a domain without certificate", domain("chat.example.com", ""), "Domain.Certificate must be the ARN"},
		{"a certificate without domain", domain("", aCertificate), "Domain.Name must be"},
		{"a domain with a scheme", domain("https://chat.example.com", aCertificate), "Domain.Name must be"},
		{"a domain in capitals", domain("Chat.example.com", aCertificate), "Domain.Name must be"},
		{"any domain", domain("*.example.com", aCertificate), "Domain.Name must be"},
		{"a domain of one part", domain("localhost", aCertificate), "Domain.Name must be"},
		{"no address but a name that is missing", func(s *config.Settings) { s.Domain.Only = true }, "Domain.Only needs a Domain.Name: without it the API would have no address"},
		{"a suffix in capitals", func(s *config.Settings) { s.Suffix = "Ada" }, "Suffix must have at most 16 small letters"},
		{"a suffix that ends with a hyphen", func(s *config.Settings) { s.Suffix = "ada-" }, "Suffix must have at most 16 small letters"},
		{"a suffix of two words", func(s *config.Settings) { s.Suffix = "ada lovelace" }, "Suffix must have at most 16 small letters"},
		{"a long suffix", func(s *config.Settings) { s.Suffix = "abcdefghijklmnopq" }, "Suffix must have at most 16 small letters"},
		{"a prefix that leaves no room for the suffix", func(s *config.Settings) {
			s.Suffix, s.SignInPages = "ada", config.SignInPages{Prefix: strings.Repeat("a", 60), Callbacks: []string{"https://chat.example.com/in"}}
		}, "SignInPages.Prefix must be at most 63 small letters"},
		{"a suffix that Cognito refuses in a prefix", func(s *config.Settings) {
			s.Suffix, s.SignInPages = "aws", config.SignInPages{Prefix: "acme", Callbacks: []string{"https://chat.example.com/in"}}
		}, `SignInPages.Prefix must be at most 63 small letters, digits and hyphens, without aws, amazon, cognito, not "acme-aws"`},
		{"a domain for both APIs", socketDomain("chat.example.com"), "Domain.Socket must be another name"},
		{"a socket domain with a path", socketDomain("live.example.com/ws"), "Domain.Socket must be a name"},
		{"a certificate of IAM", domain("chat.example.com", "arn:aws:iam::123456789012:server-certificate/chat"), "Domain.Certificate must be the ARN"},
		{"an issuer without audience", provider("https://id.example"), "Audience must be stated with an Issuer"},
		{"an audience without issuer", provider("own", "web"), "Audience needs an Issuer of your own"},
		{"an audience with an empty entry", provider("https://id.example", "a", ""), "Audience has an empty entry"},
		{"too many audiences", provider("https://id.example", make([]string, 51)...), "Audience may have 50"},
		{"an issuer without https", provider("http://id.example", "web"), `Issuer must be "own", "keys" or an https address`},
		{"an issuer that is not an address", provider("cognito", "web"), `Issuer must be "own", "keys" or an https address`},
		{"an issuer with a query", provider("https://id.example?a=b", "web"), `Issuer must be "own", "keys" or an https address`},
		{"every origin", origins("*"), `Origins must be "none" alone or pages like`},
		{"a wildcard origin", origins("https://*"), "Origins must be"},
		{"an origin with a path", origins("https://a.example/"), "Origins must be"},
		{"a plain http origin", origins("http://a.example"), "Origins must be"},
		{"no origins and one", origins("none", "https://a.example"), "Origins must be"},
		{"everyone and one more", func(s *config.Settings) { s.RoomCreators = []string{"everyone", "amsg"} }, "RoomCreators must be"},
		{"users in one text", func(s *config.Settings) { s.RoomCreators = []string{"amsg, bdfl"} }, "RoomCreators must be"},
		{"alarms to plain http", alarms("http://hooks.example.com/1"), "AlarmEmail must be an address like ops@example.com, an https address"},
		{"alarms to an address without host", alarms("https:///1"), "AlarmEmail must be an address"},
		{"alarms to this machine", alarms("https://localhost/1"), "AlarmEmail must be an address"},
		{"alarms with a password", alarms("https://ops:secret@hooks.example.com/1"), "AlarmEmail must be an address"},
		{"alarms to a fragment", alarms("https://hooks.example.com/#1"), "AlarmEmail must be an address"},
		{"an e-mail with a name", func(s *config.Settings) { s.AlarmEmail = "Ops <ops@example.com>" }, "AlarmEmail must be an address"},
		{"a negative budget", func(s *config.Settings) { s.MonthlyBudget = -2 }, "MonthlyBudget must be at least 1 dollar or config.NoBudget, not -2"},
		{"a canary without a pool to sign in to", func(s *config.Settings) {
			s.Issuer, s.Audience, s.Canary = "https://id.example", []string{"web"}, true
		}, "Canary needs the stack's own user pool"},
		{"a negative rate", func(s *config.Settings) { s.Rate = -1 }, "Rate must be at least 1"},
		{"a file that one request cannot have", func(s *config.Settings) { s.Files.MB, s.Files.DayMB = 5_001, 9_000 }, "Files.MB must be 1 to 5000, not 5001"},
		{"a negative file", func(s *config.Settings) { s.Files.MB = -1 }, "Files.MB must be 1 to 5000, not -1"},
		{"a day of less than a file", func(s *config.Settings) { s.Files.DayMB = 99 }, "Files.DayMB must be at least Files.MB, 100, not 99"},
		{"a mistyped day", func(s *config.Settings) { s.Files.DayMB = 1_000_001 }, "Files.DayMB must be 1 to 1000000"},
		{"a mistyped number of files", func(s *config.Settings) { s.Files.DayCount = 100_001 }, "Files.DayCount must be 1 to 100000"},
		{"a negative recovery of files", func(s *config.Settings) { s.Files.RecoveryDays = -1 }, "Files.RecoveryDays must be 0 to 35, not -1"},
		{"files that outlast the table's recovery", func(s *config.Settings) { s.Files.RecoveryDays = 36 }, "Files.RecoveryDays must be 0 to 35, not 36"},
		{"recovery of an adopted bucket's files", func(s *config.Settings) { s.Files.RecoveryDays, s.Adopt.Files = 7, "parley-files-kept" }, "Files.RecoveryDays applies to the stack's own bucket only"},
		{"no types", func(s *config.Settings) { s.Files.Types = []string{} }, "Files.Types must not be empty"},
		{"a type in capitals", types("image/PNG"), "Files.Types must be media types in small letters"},
		{"a kind without subtypes", types("image"), "Files.Types must be media types"},
		{"a part of a subtype", types("image/p*"), "Files.Types must be media types"},
		{"types in one text", types("image/png,image/gif"), "Files.Types must be media types"},
		{"a type with parameters", types("text/plain; charset=utf-8"), "Files.Types must be media types"},
		{"all types and one", types("*", "image/*"), `Files.Types must not list other types next to "*"`},
		{"a bucket's ARN", func(s *config.Settings) { s.Adopt.Files = "arn:aws:s3:::files" }, "Adopt.Files must be the name of a bucket without dots"},
		{"a bucket with dots", func(s *config.Settings) { s.Adopt.Files = "files.example.com" }, "Adopt.Files must be the name of a bucket without dots"},
		{"a send rate above the limit", func(s *config.Settings) { s.SendRate = 1001 }, "SendRate must be 1 to 1000, not 1001"},
		{"deliveries one after another", func(s *config.Settings) { s.HookConcurrency = 1 }, "HookConcurrency must be 2 to 1000, not 1"},
		{"more deliveries than Lambda allows", func(s *config.Settings) { s.HookConcurrency = 1001 }, "HookConcurrency must be 2 to 1000, not 1001"},
		{"a negative send rate", func(s *config.Settings) { s.SendRate = -1 }, "SendRate must be 1 to 1000"},
		{"a mistyped number of warm writes", func(s *config.Settings) { s.WarmWrites = 120_000 }, "WarmWrites must be 4000 to 100000"},
		{"fewer warm writes than a new table has", func(s *config.Settings) { s.WarmWrites = 3_999 }, "WarmWrites must be 4000 to 100000"},
		{"warm writes of an adopted table", func(s *config.Settings) { s.WarmWrites, s.Adopt.Table = 8_000, aStream }, "WarmWrites applies to the stack's own table only"},
		{"fewer reserved executions than a warm table has shards", func(s *config.Settings) { s.WarmWrites, s.FeedReserved = 12_000, 11 }, "FeedReserved must be at least 12, not 11"},
		{"fewer reserved executions than a part of a shard needs", func(s *config.Settings) { s.WarmWrites, s.FeedReserved = 12_001, 12 }, "FeedReserved must be at least 13, not 12"},
		{"fewer reserved executions than a new table has shards", func(s *config.Settings) { s.FeedReserved = 3 }, "FeedReserved must be at least 4, not 3"},
		{"a negative reservation", func(s *config.Settings) { s.FeedReserved = -2 }, "FeedReserved must not be -2"},
		{"too many activity days", func(s *config.Settings) { s.Logs.ActivityDays = 3651 }, "Logs.ActivityDays must be 1 to 3650"},
		{"negative activity days", func(s *config.Settings) { s.Logs.ActivityDays = -1 }, "Logs.ActivityDays must be 1 to 3650"},
		{"too many feed days", func(s *config.Settings) { s.FeedDays = 3651 }, "FeedDays must be 1 to 3650"},
		{"negative feed days", func(s *config.Settings) { s.FeedDays = -1 }, "FeedDays must be 1 to 3650"},
		{"an unknown log period", func(s *config.Settings) { s.Logs.Days = 8 }, "Logs.Days must be one of"},
		{"an unknown directory", func(s *config.Settings) { s.Directory = "friends" }, "Directory must be one of"},
		{"unknown writers of profiles", func(s *config.Settings) { s.Profiles = "off" }, "Profiles must be"},
		{"a name claim of two words", func(s *config.Settings) { s.NameClaim = "full name" }, "NameClaim must be the name of a claim"},
		{"a role by its ARN", func(s *config.Settings) { s.Logs.Gateway = "arn:aws:iam::123456789012:role/logs" }, `Logs.Gateway must be "own" or "account"`},
		{"an unknown log level", func(s *config.Settings) { s.Logs.Level = "trace" }, "Logs.Level must be one of"},
	}
	wantRefused(t, tests)
}

func TestResolve_RefusesAnEmailWithoutAlarms(t *testing.T) {
	t.Parallel()
	_, err := config.Settings{AlarmEmail: "ops@example.com"}.Resolve(config.Dev)
	wantError(t, err, "infra/settings/dev.go: AlarmEmail has no effect")
}

func TestResolve_NamesEveryInvalidSetting(t *testing.T) {
	t.Parallel()
	_, err := config.Settings{Rate: -1, SendRate: -1, Logs: config.Logs{Days: -1, Level: "x", ActivityDays: -1}}.Resolve(config.Dev)
	for _, name := range []string{"Rate", "SendRate", "Logs.ActivityDays", "Logs.Days", "Logs.Level"} {
		wantError(t, err, "infra/settings/dev.go: "+name+" must be")
	}
}

// TestResolve_AcceptsRecipientsOfAlarms also tells the two kinds apart.
func TestResolve_AcceptsRecipientsOfAlarms(t *testing.T) {
	t.Parallel()
	for recipient, webhook := range map[string]bool{
		"ops@example.com": false, "https://hooks.example.com": true, "https://hooks.example.com:8443/1": true, "https://hooks.example.com/parley/1f0c?team=ops": true,
	} {
		s := explicit()
		s.AlarmEmail = recipient
		c, err := s.Resolve(config.Prod)
		if err != nil || c.Alarms.Recipient != recipient || c.Alarms.Webhook() != webhook {
			t.Errorf("%s: %+v, %v", recipient, c.Alarms, err)
		}
	}
}

// TestResolve_AcceptsRecoveryOfFiles states the bounds. Left out, deleted files are gone.
func TestResolve_AcceptsRecoveryOfFiles(t *testing.T) {
	t.Parallel()
	for _, days := range []int{0, 1, 35} {
		s := explicit()
		s.Files.RecoveryDays = days
		if c, err := s.Resolve(config.Prod); err != nil || c.Files.RecoveryDays != days {
			t.Errorf("%d: %+v, %v", days, c.Files, err)
		}
	}
}

// users returns the subjects of n users, as Cognito makes them.
func users(n int) []string { return slices.Repeat([]string{"5f1c8a52-30d1-7093-c2d3-ad2e5e0f3b11"}, n) }

// TestResolve_AcceptsAnExecutionForEachShard reserves as many as the table has shards, or none.
func TestResolve_AcceptsAnExecutionForEachShard(t *testing.T) {
	t.Parallel()
	for _, s := range []config.Settings{
		{FeedReserved: 4}, {WarmWrites: 12_000, FeedReserved: 12}, {WarmWrites: 60_000, FeedReserved: 60},
		{WarmWrites: 60_000}, {WarmWrites: 60_000, FeedReserved: config.Unreserved},
	} {
		if _, err := s.Resolve(config.Dev); err != nil {
			t.Error(err)
		}
	}
}

// TestResolve_AppliesTheSuffix uses the longest one. Without it, nothing has another name.
func TestResolve_AppliesTheSuffix(t *testing.T) {
	t.Parallel()
	for suffix, prefix := range map[string]string{"": "acme", "a": "acme-a", "abcdefgh-12345-x": "acme-abcdefgh-12345-x"} {
		c, err := config.Settings{
			Suffix: suffix, SignInPages: config.SignInPages{Prefix: "acme", Callbacks: []string{"https://chat.example.com/in"}},
		}.Resolve(config.Dev)
		if err != nil || c.Suffix != suffix || c.Pool.Pages.Prefix != prefix {
			t.Errorf("%q: %q, %q, %v", suffix, c.Suffix, c.Pool.Pages.Prefix, err)
		}
	}
}

// TestResolve_AcceptsWhatVariablesHold states each list one entry shorter than the refused ones.
func TestResolve_AcceptsWhatVariablesHold(t *testing.T) {
	t.Parallel()
	for _, s := range []config.Settings{
		{RoomCreators: users(80)},
		{Issuer: "https://id.example", Audience: slices.Repeat([]string{strings.Repeat("a", 60)}, 48)},
		{Origins: slices.Repeat([]string{"https://chat.example.com"}, 119)},
	} {
		if _, err := s.Resolve(config.Dev); err != nil {
			t.Error(err)
		}
	}
}

// TestBudget_LiesBelowTheCostOfAnHour compares the default budget of a month with what one person can
// cost in an hour, so that its mails tell of such an hour.
func TestBudget_LiesBelowTheCostOfAnHour(t *testing.T) {
	t.Parallel()
	for _, env := range []config.Env{config.Dev, config.Prod} {
		if budget, cost := config.Defaults(env).MonthlyBudget, bill.Total(bill.AttackLines()); float64(budget) >= cost {
			t.Errorf("%s has a budget of %d dollars, but an hour of one person costs at most %.2f", env, budget, cost)
		}
	}
}
