package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"example.com/parley/infra/config"
)

const (
	// maxPages bounds the pages of log events read for one function. A busy deployment has
	// thousands of lines, from which the filter returns the refused calls.
	maxPages = 20
	// phrase is part of every refusal of IAM, as the functions log it. S3 refuses without it.
	phrase   = "not authorized to perform"
	s3Phrase = "status 403"
)

// refusedAction finds the action in a refusal of IAM.
var refusedAction = regexp.MustCompile(phrase + `: ([A-Za-z0-9-]+:[A-Za-z0-9]+)`)

// outboxLogs and deliverLogs are the logs of the functions for hooks, which only some deployments
// have.
const (
	outboxLogs  = "OutboxLogs"
	deliverLogs = "DeliverLogs"
)

// logs are the logs of the functions that serve people and programs, by logical id.
var logs = []string{
	"WriteLogs", "ReadLogs", "SearchLogs", "IncomingLogs", "FeedLogs", outboxLogs, deliverLogs, "SocketLogs",
	"AuthorizerLogs",
}

// Deployed is a stack that After checks.
type Deployed struct {
	o         Options
	resources map[string]string
	// URL and Socket are the addresses of the API and of live delivery.
	URL, Socket string
	// SendRate is the SendRate setting.
	SendRate int
	// FileType is a media type that Files.Types accepts, and Origin a page that may read files, or
	// "".
	FileType, Origin string
	// Pictures reports whether people set their own pictures.
	Pictures bool
}

// FindDeployed reads the addresses of an environment's stack.
func FindDeployed(ctx context.Context, o Options) (Deployed, error) {
	settings, known := o.Stated[o.Env]
	if !known {
		return Deployed{}, fmt.Errorf("there is no environment %q", o.Env)
	}
	cfg, err := settings.Resolve(o.Env)
	if err != nil {
		return Deployed{}, err
	}
	s, err := readStack(ctx, o.account(), cfg.StackName())
	if err != nil {
		return Deployed{}, err
	}
	d := Deployed{
		o: o, URL: s.Outputs["ApiUrl"], Socket: s.Outputs["SocketUrl"], SendRate: cfg.API.SendRate,
		FileType: fileType(cfg.Files.Types[0]), Pictures: cfg.API.Profiles != config.Services,
	}
	if d.Origin = strings.TrimSuffix(s.Outputs["PageUrl"], "/"); len(cfg.API.Origins) > 0 {
		d.Origin = cfg.API.Origins[0]
	}
	if d.URL == "" || d.Socket == "" {
		return Deployed{},
			fmt.Errorf("%s is not deployed in %s: it has no outputs ApiUrl and SocketUrl", s.Name, o.AWS.Region)
	}
	d.resources, err = readResources(ctx, o.account(), s.Name)
	return d, err
}

// fileType returns a media type that matches one of Files.Types, such as "*" or "image/*".
func fileType(accepted string) string {
	if accepted == "*" {
		return "text/plain"
	}
	return strings.Replace(accepted, "*", "png", 1)
}

// After checks the parts of a deployment that no user sees: the mapping of the table's stream, a
// sweep of the index of searches, and the function calls that AWS refused since a time.
func (d Deployed) After(ctx context.Context, since time.Time) []Finding {
	add := func(name string, f Finding, err error) Finding {
		if err != nil {
			f = unread(err)
		}
		f.Check = name
		return f
	}
	m, err := d.readMapping(ctx)
	all := []Finding{add("mapping", judgeMapping(m), err)}
	swept, err := d.sweep(ctx)
	all = append(all, add("sweep", judgeSweep(swept), err))
	refused, err := d.readRefusals(ctx, since)
	return append(all, add("refused calls", judgeRefusals(refused), err))
}

// mapping is the state of the event source mapping.
type mapping struct{ State, StateTransitionReason, LastProcessingResult string }

func (d Deployed) readMapping(ctx context.Context) (m mapping, err error) {
	id := d.resources["FeedMapping"]
	if id == "" {
		return m, errors.New("the stack has no FeedMapping")
	}
	path := "/2015-03-31/event-source-mappings/" + url.PathEscape(id)
	err = d.o.account().call(ctx, get("lambda", d.o.AWS.Region, path, "lambda:GetEventSourceMapping"), &m)
	return m, err
}

func judgeMapping(m mapping) Finding {
	const guide = `docs/runbooks.md, "When the stream is not read"`
	if m.State != "Enabled" {
		return blocker(guide, "the table's stream is not read: %s %s", m.State, m.StateTransitionReason)
	}
	if strings.HasPrefix(m.LastProcessingResult, "PROBLEM") {
		return blocker(guide, "the last batch of the stream failed: %s", m.LastProcessingResult)
	}
	return ok("enabled; %s", cmp.Or(m.LastProcessingResult, "no batch yet"))
}

// swept is the answer to a sweep: null, or why the function failed.
type swept struct{ ErrorMessage string }

// sweep lets the search function sweep its index once, as it does daily.
func (d Deployed) sweep(ctx context.Context) (s swept, err error) {
	in := get(
		"lambda", d.o.AWS.Region, "/2015-03-31/functions/"+url.PathEscape(d.resources["SearchFunction"])+"/invocations",
		"lambda:InvokeFunction",
	)
	in.method, in.body = http.MethodPost, []byte(`{"sweep": true}`)
	err = d.o.account().call(ctx, in, &s)
	return s, err
}

func judgeSweep(s swept) Finding {
	if s.ErrorMessage != "" {
		return blocker(
			`docs/runbooks.md, "The index cannot be stored"`, "the search function cannot sweep its index: %s",
			s.ErrorMessage,
		)
	}
	return ok("the index of searches is swept")
}

// readRefusals returns the calls that AWS refused, such as "Write dynamodb:PutItem".
func (d Deployed) readRefusals(ctx context.Context, since time.Time) ([]string, error) {
	var refused []string
	for _, id := range logs {
		if (id == outboxLogs || id == deliverLogs) && d.resources[id] == "" {
			continue
		}
		for next, page := "", 0; page < maxPages; page++ {
			in := map[string]any{
				"logGroupName": d.resources[id], "startTime": since.UnixMilli(),
				"filterPattern": `?"` + phrase + `" ?"` + s3Phrase + `"`,
			}
			if next != "" {
				in["nextToken"] = next
			}
			var out struct {
				Events    []struct{ Message string }
				NextToken string
			}
			if err := d.o.account().call(
				ctx, jsonCall("logs", d.o.AWS.Region, "Logs_20140328", "FilterLogEvents", in), &out,
			); err != nil {
				return nil, err
			}
			for _, e := range out.Events {
				if action := refusedAction.FindStringSubmatch(e.Message); action != nil {
					refused = append(refused, strings.TrimSuffix(id, "Logs")+" "+action[1])
				} else if strings.Contains(e.Message, s3Phrase) {
					refused = append(refused, strings.TrimSuffix(id, "Logs")+" s3")
				}
			}
			if next = out.NextToken; next == "" {
				break
			}
		}
	}
	slices.Sort(refused)
	return slices.Compact(refused), nil
}

func judgeRefusals(refused []string) Finding {
	if len(refused) > 0 {
		return blocker(
			"compare the role's policy with docs/security.md, and report it", "AWS refused to functions: %s",
			strings.Join(refused, ", "),
		)
	}
	return ok("none in the logs of the functions")
}
