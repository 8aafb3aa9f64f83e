package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

const (
	// unreserved is how many concurrent executions Lambda keeps for functions without reservations.
	unreserved = 100
	// usualConcurrency is the quota of an established account.
	usualConcurrency = 1_000
	// requestTime is how long a request occupies a function, and slowMoment is the factor by which
	// a slow moment of DynamoDB multiplies it (docs/quotas.md, "Concurrent executions").
	requestTime = 15 * time.Millisecond
	slowMoment  = 10
)

// concurrency is how many function executions may run concurrently in an account.
type concurrency struct {
	Limit      int `json:"ConcurrentExecutions"`
	Unreserved int `json:"UnreservedConcurrentExecutions"`
}

func readConcurrency(ctx context.Context, o Options, p Plan) (concurrency, error) {
	var out struct{ AccountLimit concurrency }
	err := o.account().call(
		ctx, get("lambda", p.Region, "/2016-08-19/account-settings", "lambda:GetAccountSettings"), &out,
	)
	return out.AccountLimit, err
}

// judgeConcurrency compares the account's concurrency with FeedReserved and Rate. The account's
// reservations already include a deployed stack's.
func judgeConcurrency(p Plan, c concurrency) Finding {
	const request = "request 1,000: docs/quotas.md, \"Concurrent executions\""
	reserved, left := p.Config.Feed.Reserved, c.Unreserved
	if p.Stack.exists() || p.Stack.Unread {
		left = c.Limit
	}
	if reserved > 0 && left-reserved < unreserved {
		return blocker("state FeedReserved: config.Unreserved, or "+request,
			"%d functions may run at once: with FeedReserved %d, fewer than %d are left for "+
				"others", left, reserved, unreserved)
	}
	busy := time.Duration(p.Config.API.Rate) * requestTime * slowMoment / time.Second
	if advised := min(int(busy), usualConcurrency); c.Limit < advised {
		return note(
			request, "%d functions may run at once; a Rate of %d may need %d in a slow moment", c.Limit,
			p.Config.API.Rate, advised,
		)
	}
	return ok("%d functions may run at once", c.Limit)
}

// The quotas of Service Quotas, by service and code.
const (
	requestsService, requestsCode = "apigateway", "L-8A5B8E43" // throttle rate
	writesService, writesCode     = "dynamodb", "L-AB614373"   // table-level write throughput limit
)

// readQuota returns a quota of the account. For some quotas, Service Quotas has only the default
// and no account value.
func readQuota(ctx context.Context, o Options, p Plan, service, code string) (int, error) {
	var out struct{ Quota struct{ Value float64 } }
	in := map[string]string{"ServiceCode": service, "QuotaCode": code}
	call := func(operation string) error {
		return o.account().call(ctx, jsonCall("servicequotas", p.Region, "ServiceQuotasV20190624", operation, in), &out)
	}
	err := call("GetServiceQuota")
	if codeOf(err) == "NoSuchResourceException" {
		err = call("GetAWSDefaultServiceQuota")
	}
	return int(out.Quota.Value), err
}

func readRequestQuota(ctx context.Context, o Options, p Plan) (int, error) {
	return readQuota(ctx, o, p, requestsService, requestsCode)
}

// judgeRequestQuota compares the requests a second of all APIs with Rate, RateQuota, and the
// frames that one process may send.
func judgeRequestQuota(p Plan, quota int) Finding {
	api := p.Config.API
	switch {
	case api.RateQuota > quota:
		return blocker("state the quota that AWS has granted, or request more: docs/quotas.md",
			"RateQuota is %d, but all APIs of the account together may take %d requests a second", api.RateQuota, quota)
	case api.Rate > quota:
		return blocker("lower Rate, or request more: docs/quotas.md",
			"Rate is %d, but all APIs of the account together may take %d requests a second", api.Rate, quota)
	case api.PostRate >= quota:
		return note(
			"state it as RateQuota, or frames to connections may use all of it",
			"%d requests a second, fewer than usual in this Region", quota,
		)
	}
	return ok("%d requests a second", quota)
}

func withoutWarmWrites(p Plan) string {
	return unneeded(p.Config.Table.WarmWrites == 0, "WarmWrites is not stated")
}

func readWriteQuota(ctx context.Context, o Options, p Plan) (int, error) {
	return readQuota(ctx, o, p, writesService, writesCode)
}

func judgeWriteQuota(p Plan, quota int) Finding {
	if warm := p.Config.Table.WarmWrites; warm > quota {
		return blocker(
			"lower it, or request more: docs/quotas.md", "WarmWrites is %d, but a table may take %d writes a second",
			warm, quota,
		)
	}
	return ok("a table may take %d writes a second", quota)
}

// sizes holds the sizes of the stack that are known without a deployment.
type sizes struct {
	// variables is the length of the longest settings among a function's variables, in bytes.
	variables int
	// template reports whether there is a synthesized template; resources and bytes are its sizes.
	template         bool
	resources, bytes int
}

// The limits of CloudFormation. The tests of infra/stack keep every stack well below them, and the
// settings limit the variables.
const (
	maxResources = 500
	maxTemplate  = 1_000_000
)

func readSizes(_ context.Context, o Options, p Plan) (sizes, error) {
	var s sizes
	for _, t := range p.Config.VariableTexts() {
		s.variables = max(s.variables, t.Bytes())
	}
	text, err := o.Template(p.Config.StackName())
	if err != nil || text == nil {
		return s, err
	}
	var t struct{ Resources map[string]json.RawMessage }
	err = json.Unmarshal(text, &t)
	s.template, s.resources, s.bytes = true, len(t.Resources), len(text)
	return s, err
}

func judgeSizes(_ Plan, s sizes) Finding {
	switch {
	case !s.template:
		return ok("%d bytes of settings among variables; no template was synthesized", s.variables)
	case s.resources > maxResources || s.bytes > maxTemplate:
		return blocker(`state fewer capabilities: docs/quotas.md, "Sizes of the stack"`,
			"the template has %d resources and %d bytes; CloudFormation allows %d and "+
				"%d", s.resources, s.bytes, maxResources, maxTemplate)
	}
	return ok(
		"%d bytes of settings among variables, %d resources, a template of %d bytes", s.variables, s.resources, s.bytes,
	)
}

func withoutBudget(p Plan) string {
	a := p.Config.Alarms
	return unneeded(!a.Enabled || a.Recipient == "" || a.MonthlyBudget == 0, "the settings ask for no budget")
}

// linked is the word in AWS's response to an organization member that may not have budgets.
const linked = "linked account"

// readBudgets returns AWS's reason why the account may not have budgets, or "" if it may.
func readBudgets(ctx context.Context, o Options, p Plan) (refused string, _ error) {
	in := jsonCall(
		"budgets", global, "AWSBudgetServiceGateway", "DescribeBudgets",
		map[string]any{"AccountId": p.Account, "MaxResults": 1},
	)
	in.host, in.right = "budgets.amazonaws.com", "budgets:ViewBudget"
	err := o.account().call(ctx, in, &struct{}{})
	var r *refusal
	if errors.As(err, &r) && strings.Contains(r.message, linked) {
		return r.message, nil
	}
	return "", err
}

func judgeBudgets(_ Plan, refused string) Finding {
	if refused != "" {
		return blocker(
			`docs/runbooks.md, "The budget"; until then state AlarmEmail: "none"`, "AWS refuses budgets: %s", refused,
		)
	}
	return ok("budgets can be read")
}
