// Package doctor checks an AWS account before a deployment, and a deployment after it.
//
// The checks of an account only read. Exercise uses a deployment as one of its users. IAM judges
// conditions only when a call is made, so each conditioned statement needs a call. The calls go
// through the public API and live delivery, in a private room that is deleted at the end.
//
// Each check reads one thing, decodes the response, and judges it against the settings. A judgment
// is a plain function of both. A missing permission of the credentials is a finding, not an error.
//
// The calls are plain requests, signed by the SDK's signer. This way the calls of a dozen services
// fit into one file, instead of an SDK module for each.
package doctor

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"

	"example.com/parley/infra/config"
)

// Options are the dependencies of a run. All fields are required.
type Options struct {
	Env    config.Env
	Stated map[config.Env]config.Settings
	AWS    aws.Config
	// Client fetches the documents of an issuer.
	Client *http.Client
	Clock  func() time.Time
	// Node returns the version of Node.js that runs the CDK, such as "v22.1.0".
	Node func(context.Context) (string, error)
	// Template returns the last synthesized template of a stack, or nil.
	Template func(stack string) ([]byte, error)
}

// account returns the account of the options. A configuration without custom certificate
// authorities has no HTTP client.
func (o Options) account() account {
	a := account{cfg: o.AWS, http: o.AWS.HTTPClient, clock: o.Clock}
	if a.http == nil {
		a.http = http.DefaultClient
	}
	return a
}

// check is one check of an account.
type check struct {
	name string
	run  func(ctx context.Context, o Options, p Plan) Finding
}

// unneeded returns the reason if a check is not needed.
func unneeded(is bool, reason string) string {
	if is {
		return reason
	}
	return ""
}

// define returns a check that reads and then judges. If without returns a reason, nothing is read.
func define[T any](
	name string, without func(Plan) string, read func(context.Context, Options, Plan) (T, error),
	judge func(Plan, T) Finding,
) check {
	return check{name, func(ctx context.Context, o Options, p Plan) Finding {
		if without != nil {
			if why := without(p); why != "" {
				return ok("not needed: %s", why)
			}
		}
		answer, err := read(ctx, o, p)
		if err != nil {
			return unread(err)
		}
		return judge(p, answer)
	}}
}

// checks returns the checks of an account, in the order of the table.
func checks() []check {
	return []check{
		define("Node", nil, readNode, judgeNode),
		define("plan", withoutPlans, readAccountPlan, judgeAccountPlan),
		define("concurrency", nil, readConcurrency, judgeConcurrency),
		define("bootstrap", nil, readBootstrap, judgeBootstrap),
		define("execution policy", nil, readPolicies, judgePolicies),
		define("account rules", nil, readAccountRules, judgeAccountRules),
		define("CloudFront", withoutSite, readDistributions, judgeDistributions),
		define("gateway role", nil, readGateway, judgeGatewayRole),
		define("issuer", withoutIssuer, readIssuer, judgeIssuer),
		define("API certificate", withoutDomain, readAPICertificate, judgeAPICertificate),
		define("page certificate", withoutPageName, readPageCertificate, judgePageCertificate),
		define("sign-in pages", withoutSignInPages, readPrefix, judgePrefix),
		define("mails", withoutSignUp, readMails, judgeMails),
		define("budget", withoutBudget, readBudgets, judgeBudgets),
		define("request quota", nil, readRequestQuota, judgeRequestQuota),
		define("write quota", withoutWarmWrites, readWriteQuota, judgeWriteQuota),
		define("sizes", nil, readSizes, judgeSizes),
	}
}

// Run checks the account of the credentials for a deployment. It ends early if it can learn
// nothing more: if settings or the Region are refused, or without an identity.
func Run(ctx context.Context, o Options) []Finding {
	p, all, found := prepare(ctx, o)
	if !found {
		return all
	}
	list := checks()
	judged := make([]Finding, len(list))
	var running sync.WaitGroup
	for i, c := range list {
		running.Go(func() {
			judged[i] = c.run(ctx, o, p)
			judged[i].Check = c.name
		})
	}
	running.Wait()
	return append(all, judged...)
}

// prepare finds the settings, the account and the stack. It reports whether the settings and the
// account were found.
func prepare(ctx context.Context, o Options) (p Plan, all []Finding, found bool) {
	add := func(name string, f Finding) {
		f.Check = name
		all = append(all, f)
	}
	cfg, err := config.Load(map[string]any{config.KeyEnv: string(o.Env)}, o.Stated)
	if err != nil {
		add("settings", blocker("correct the settings: docs/settings.md", "%v", err))
		return Plan{}, all, false
	}
	add("settings", ok("%s is complete", config.File(o.Env)))
	if err := config.CheckRegion(o.AWS.Region); err != nil {
		add("place", blocker("choose another AWS_REGION", "%v", err))
		return Plan{}, all, false
	}
	id, err := readIdentity(ctx, o.account())
	if err != nil {
		add("identity", blocker("sign in: aws sso login, or set AWS_PROFILE", "AWS refuses the credentials: %v", err))
		return Plan{}, all, false
	}
	add("identity", judgeIdentity(id))
	if cfg, err = cfg.In(id.Account, o.AWS.Region); err != nil {
		add("place", blocker("correct the settings, or choose another account or AWS_REGION", "%v", err))
	} else {
		add("place", ok("%s of account %s", o.AWS.Region, id.Account))
	}
	p = Plan{Config: cfg, Account: id.Account, Region: o.AWS.Region}
	if p.Stack, err = readStack(ctx, o.account(), cfg.StackName()); err != nil {
		p.Stack.Unread = true
		add("stack", unread(err))
	} else {
		add("stack", judgeStack(p.Stack, cfg.Table.DeletionProtection))
	}
	return p, all, true
}

// Status is the outcome of a check.
type Status string

// The outcomes. A deployment or its users fail at a blocker. A note is worth reading. Unread means
// that AWS did not respond, or that the credentials lack a permission.
const (
	OK      Status = "ok"
	Note    Status = "note"
	Unread  Status = "unread"
	Blocker Status = "BLOCKER"
)

// Finding is what a check found.
type Finding struct {
	Check  string
	Status Status
	Found  string
	Do     string // what to do; empty if there is nothing to do
}

func ok(format string, args ...any) Finding {
	return Finding{Status: OK, Found: fmt.Sprintf(format, args...)}
}

func note(do, format string, args ...any) Finding {
	return Finding{Status: Note, Found: fmt.Sprintf(format, args...), Do: do}
}

func blocker(do, format string, args ...any) Finding {
	return Finding{Status: Blocker, Found: fmt.Sprintf(format, args...), Do: do}
}

// unread returns the finding about something that could not be read.
func unread(err error) Finding {
	if right, ok := missingRight(err); ok {
		return Finding{Status: Unread, Found: "cannot read: needs " + right}
	}
	return Finding{Status: Unread, Found: "cannot read: " + err.Error()}
}

// Blocked reports whether a finding is a blocker.
func Blocked(all []Finding) bool { return count(all, Blocker) > 0 }

func count(all []Finding, s Status) (n int) {
	for _, f := range all {
		if f.Status == s {
			n++
		}
	}
	return n
}

// Print writes a table of findings, and a summary.
func Print(w io.Writer, all []Finding) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, f := range all {
		fmt.Fprintf(table, "%s\t%s\t%s\n", f.Check, f.Status, oneLine(f.Found))
		if f.Do != "" {
			fmt.Fprintf(table, "\t\t→ %s\n", oneLine(f.Do))
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(
		w, "\n%s, %s, %d unread\n", plural(count(all, Blocker), "blocker"), plural(count(all, Note), "note"),
		count(all, Unread),
	)
	return err
}

// oneLine keeps a service's text from breaking the table.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
