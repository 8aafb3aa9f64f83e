package stack_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/aws/aws-cdk-go/awscdk/v2"
	"github.com/aws/jsii-runtime-go"

	"example.com/parley/infra/config"
	"example.com/parley/infra/stack"
)

var (
	update = flag.Bool("update", false, "write the golden templates anew")
	folder = flag.String("templates", "", "a folder that the templates are written to, as they are synthesized")
	places = flag.String("regions", "", "AWS's Regions; a file next to each template lists those that its settings accept")
)

// root is the repository's folder.
const root = "../.."

// deployment is one synthesized stack.
type deployment struct {
	config   config.Config
	template template
	text     []byte // the synthesized template
	// broken are the nag rules that it breaks.
	broken []string
}

// deployments are synthesized once for all tests, by name. The CDK's process is slow and serves one
// caller at a time, so that no test here is parallel. The synth fails if it breaks the CDK's own
// rules. CDK_VALIDATION=false leaves those to `make synth`, which saves 6 s.
var deployments = map[string]deployment{}

// variant is a deployment under test: an environment, its settings, and the flags.
type variant struct {
	env      config.Env
	settings config.Settings
	arch     string
	// features are the CDK's feature flags in the app of another team, and place is the account and
	// the Region that it states. The app of this repository has neither.
	features map[string]any
	place    *awscdk.Environment
}

// variants are the environments with default settings, and one with every setting that adds to the
// template. The team's own settings are not among them, because a golden template must not depend
// on a team's decisions.
var variants = map[string]variant{
	"dev":     {env: config.Dev, settings: withPage()},
	"prod":    {env: config.Prod, settings: explicit()},
	"own":     {env: config.Prod, settings: everything(), arch: "x86_64"},
	"adopted": {env: config.Prod, settings: adopting()},
	"keys":    {env: config.Prod, settings: withKeys()},
}

// The tables and the bucket that the variant "adopted" adopts.
const (
	adoptedTable  = "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-restored"
	adoptedStream = adoptedTable + "/stream/2026-01-31T12:00:00.000"
	adoptedFiles  = "parley-files-kept"
	adoptedLog    = "arn:aws:dynamodb:eu-west-1:123456789012:table/parley-log-restored"
)

// withPage has the web app, for users of the stack's own pool.
func withPage() config.Settings {
	return config.Settings{Hooks: "on,owners", Canary: true, SignInPages: config.SignInPages{Prefix: "acme-dev"}, Page: config.Page{Host: config.CloudFront}}
}

// adopting also has the settings that apply to the stack's own user pool only.
func adopting() config.Settings {
	s := explicit()
	s.Adopt = config.Adopt{Table: adoptedStream, LogTable: adoptedLog, Files: adoptedFiles}
	s.SignUp = config.Self
	s.Canary, s.Hooks = true, "private"
	s.Account = config.AccountRules{PermissionsBoundary: "company/Boundary", Tags: map[string]string{"owner": "chat"}}
	s.SignInPages = config.SignInPages{
		Prefix: "acme-chat", Callbacks: []string{"https://chat.example.com/in", "http://localhost:5173/in"}, Logouts: []string{"https://chat.example.com/"},
		ServiceClient: true,
	}
	return s
}

// explicit states only the settings that prod requires.
func explicit() config.Settings {
	return config.Settings{
		Issuer: config.Own, SignUp: config.Admin, RoomCreators: []string{config.Everyone}, Origins: []string{config.None}, AlarmEmail: config.None,
		FeedReserved: config.Unreserved,
	}
}

func everything() config.Settings {
	return config.Settings{
		Issuer: "https://id.example.com/", Audience: []string{"web", "phone"},
		RoomCreators: []string{"amsg", "bdfl"}, Origins: []string{"https://www.example.com"},
		Domain: config.Domain{Name: "api.example.com", Socket: "live.example.com", Only: true, Certificate: "arn:aws:acm:eu-west-1:123456789012:certificate/12345678-1234-1234-1234-123456789012"},
		Page: config.Page{
			Host: config.CloudFront, Name: "chat.example.com", Certificate: "arn:aws:acm:us-east-1:123456789012:certificate/12345678-1234-1234-1234-123456789012",
			AvatarHosts: []string{"pictures.example.com"},
			SignIn: config.PageSignIn{
				Authorize: "https://id.example.com/authorize?audience=web", Token: "https://id.example.com/oauth/token", Revoke: "https://tokens.example.com/revoke", Client: "spa", Scope: "openid offline_access",
			},
		},
		AlarmEmail: "ops@example.com", MonthlyBudget: 40, SendRate: 20, WarmWrites: 12_000, FeedReserved: 16,
		Files:   config.Files{MB: 20, DayMB: 200, DayCount: 50, Types: []string{"image/*", "application/pdf"}, RecoveryDays: 7},
		Account: config.AccountRules{PermissionsBoundary: "arn:aws:iam::123456789012:policy/Boundary", Tags: map[string]string{"owner": "chat"}},
	}
}

// context returns the context that the CDK's command line passes for a variant.
func (v variant) context() map[string]any {
	context := map[string]any{config.KeyEnv: string(v.env)}
	if v.arch != "" {
		context[config.KeyArchitecture] = v.arch
	}
	return context
}

// garbagePercent lets the heap grow to five times the live data. The tests copy many templates and
// keep few. With the default the collector takes a fifth of their time.
const garbagePercent = 400

func TestMain(m *testing.M) {
	flag.Parse()
	debug.SetGCPercent(garbagePercent)
	os.Exit(run(m))
}

func run(m *testing.M) int {
	defer jsii.Close()
	for name, v := range variants {
		d, err := synthesize(v)
		if err != nil {
			fmt.Fprintf(os.Stderr, "synthesize %s: %v\n", name, err)
			return 1
		}
		deployments[name] = d
		if *folder == "" {
			continue
		}
		err = errors.Join(
			os.WriteFile(filepath.Join(*folder, name+".json"), d.text, 0o600),
			os.WriteFile(filepath.Join(*folder, name+".regions"), []byte(accepted(d.config, strings.Fields(*places))), 0o600),
		)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

// accepted returns the Regions in which a deployment is not refused, one a line.
func accepted(c config.Config, regions []string) string {
	var all strings.Builder
	for _, region := range regions {
		if _, err := c.In("", region); err == nil {
			all.WriteString(region + "\n")
		}
	}
	return all.String()
}

// synthesize uses the context of the CDK's command line: cdk.json's, and the flags over it.
func synthesize(v variant) (deployment, error) {
	text, err := os.ReadFile(filepath.Join(root, "cdk.json"))
	if err != nil {
		return deployment{}, err
	}
	context, err := config.ContextOf(text)
	if err != nil {
		return deployment{}, err
	}
	maps.Copy(context, v.context())
	maps.Copy(context, v.features)
	cfg, err := config.Load(context, map[config.Env]config.Settings{v.env: v.settings})
	if err != nil {
		return deployment{}, err
	}
	out, err := os.MkdirTemp("", "cdk")
	if err != nil {
		return deployment{}, err
	}
	defer func() { _ = os.RemoveAll(out) }()
	app := awscdk.NewApp(&awscdk.AppProps{Outdir: jsii.String(out), Context: &context})
	stack.New(app, stack.Props{Config: cfg, Env: v.place, Bundle: stub})
	app.Synth(nil)
	d := deployment{config: cfg}
	file := filepath.Join(out, stack.Name(cfg))
	if d.text, err = os.ReadFile(file + ".template.json"); err != nil {
		return deployment{}, err
	}
	// An unknown section would escape every check.
	decoder := json.NewDecoder(bytes.NewReader(d.text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d.template); err != nil {
		return deployment{}, err
	}
	d.broken, err = annotations(file + ".metadata.json")
	return d, err
}

// annotations returns the errors and warnings of a synth, on which the CDK's command line fails.
func annotations(file string) ([]string, error) {
	var metadata map[string][]struct {
		Type string
		Data any
	}
	if err := readJSON(file, &metadata); err != nil {
		return nil, err
	}
	var found []string
	for path, entries := range metadata {
		for _, e := range entries {
			if e.Type == "aws:cdk:error" || e.Type == "aws:cdk:warning" {
				found = append(found, fmt.Sprintf("%s: %s: %v", e.Type, path, e.Data))
			}
		}
	}
	return found, nil
}

func readText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readJSON(file string, v any) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

// stub stands in for the Go build. Only the asset's hash depends on it.
func stub(b stack.Build) error {
	return os.WriteFile(filepath.Join(b.Output, "bootstrap"), []byte(b.Function+" for "+string(b.Architecture)), 0o700)
}

func each(t *testing.T, check func(t *testing.T, d deployment)) {
	t.Helper()
	for name, d := range deployments {
		t.Run(name, func(t *testing.T) { check(t, d) })
	}
}

func TestNag_RulesHold(t *testing.T) {
	each(t, func(t *testing.T, d deployment) {
		for _, b := range d.broken {
			t.Error(b)
		}
	})
}
