package stack_test

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.com/parley/infra/config"
	"example.com/parley/internal/httpapi"
	"example.com/parley/internal/test/rights"
)

const (
	typeFunction = "AWS::Lambda::Function"
	typeRole     = "AWS::IAM::Role"
	typePolicy   = "AWS::IAM::Policy"
)

// The limits that AWS sets on a function's time, in seconds.
const (
	maxTimeout  = 900 // Lambda's
	integration = 29  // API Gateway's: it gives up then, with HTTP a second later
)

// minSweepTimeout is the time of a sweep of the index of searches, which may rewrite some hundred
// blocks, one after another.
const minSweepTimeout = 120

// keysTimeout is the time of a fetch of the issuer's keys.
const keysTimeout = 5

// minFeedTimeout is the time of three calls to DynamoDB, one after another, if each needs all its
// attempts: 4 of 2 s. They read a feed, append to it and move its head.
const minFeedTimeout = 24

// actions are the actions that a function here may ever need. A misspelt action would deploy, and
// then be refused.
var actions = []string{
	"dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:GetItem",
	"dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem",
	"dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:ListStreams",
	"logs:CreateLogStream", "logs:PutLogEvents", "sqs:SendMessage", "sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:ChangeMessageVisibility", "sqs:GetQueueAttributes", "ssm:GetParameter", "cognito-idp:AdminInitiateAuth",
	"execute-api:ManageConnections", "s3:GetObject", "s3:PutObject", "s3:ListBucket", "s3:DeleteObject",
}

// lambdaUses are the rights that Lambda itself needs of each function's role, by Sid;
// rights.LambdaUses has the reasons. Our code makes no such calls, so that recordings do not
// contain them.
func lambdaUses(function string) map[string][]string {
	uses := map[string][]string{"WriteLogs": {"logs:CreateLogStream log", "logs:PutLogEvents log"}}
	if function == "feed" || function == "outbox" {
		uses["PollStream"] = []string{"dynamodb:DescribeStream stream", "dynamodb:GetRecords stream", "dynamodb:GetShardIterator stream"}
		uses["ListStreams"] = []string{"dynamodb:ListStreams streams"}
	}
	if function == "outbox" {
		uses["GiveUp"] = []string{"sqs:SendMessage failures"}
	}
	if function == "deliver" {
		uses["PollQueue"] = []string{"sqs:DeleteMessage wakes", "sqs:GetQueueAttributes wakes", "sqs:ReceiveMessage wakes"}
	}
	return uses
}

// wildcards are the places in which a * is allowed, with the reasons.
var wildcards = []struct{ id, path, text, reason string }{
	{"WritePermission", ".SourceArn", "/*/*", "any route of the one API, whose routes say which function serves them"},
	{"ReadPermission", ".SourceArn", "/*/*", "the same"},
	{"SearchPermission", ".SourceArn", "/*/*", "the same"},
	{"IncomingPermission", ".SourceArn", "/*/*", "the same"},
	{"IncomingRole", "StringLike.dynamodb:LeadingKeys", "in#*", "every incoming webhook, of which it reads the one with the secret"},
	{"IncomingRole", "StringLike.dynamodb:LeadingKeys", "u#bot:*", "every webhook's bot, of which it writes the budget"},
	{"IncomingRole", "StringLike.dynamodb:LeadingKeys", "r#*", "the settings of every room that has a webhook"},
	{"IncomingRole", "StringNotLike.dynamodb:LeadingKeys", "*#*", "a refusal: it reads and puts messages by their keys, and nothing else"},
	{"SearchRole", ".Resource", "/_search/*", "the index of searches, which is in the bucket of files"},
	{"SearchRole", "StringLike.s3:prefix", "_search/*", "the same; it lists no file of people"},
	{"WriteRole", "StringLike.s3:prefix", "?*/?*/*", "one person's files in a room, or their pictures: S3 says of none whether it exists without this"},
	{"WriteRole", "StringNotLike.s3:prefix", "_search/*", "a refusal: the index is for searches"},
	{"ReadRole", "StringLike.s3:prefix", "?*/?*/*", "the same"},
	{"ReadRole", "StringNotLike.s3:prefix", "_search/*", "the same refusal"},
	{"SearchRole", "StringLike.dynamodb:LeadingKeys", "u#*", "every person's items, of which it writes only the budget of reads"},
	{"SocketApi", ".SourceArn", "/*$", "any stage of one route; the API has one stage"},
	{"GatewayLogsRole", ".Resource", "*", "one role writes the logs of all APIs of the account, whatever their names"},
	{"AlarmTopicPolicy", ".Principal", "*", "a refusal: no one may publish without TLS"},
	{"FailureQueuePolicy", ".Principal", "*", "a refusal: no one may use the queue without TLS"},
	{"FailureQueuePolicy", ".Action", "sqs:*", "the same refusal: nothing may be done without TLS"},
	{"FeedRole", ".Resource", "/stream/*", "any stream of the one table: listing them cannot be granted for one of them"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "missed#*", "what connections have missed, in one partition or more"},
	{"FeedRole", ".dynamodb:LeadingKeys", "feed#*", "the feeds of all rooms, and no other item"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "m#*", "the rows of all messages, of which it sees only the keys"},
	{"FeedRole", "StringNotLike.dynamodb:LeadingKeys", "*#*", "a refusal: all partitions except messages, of which it sees only the counts"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "m#*", "the rows of all messages: there reactions are taken back"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "p#*", "the pins and uploads of all rooms"},
	{"WriteRole", ".Resource", "/_people/*", "the pictures of all people: each may remove their own"},
	{"FeedRole", ".dynamodb:LeadingKeys", "u#*", "every person's membership, to tell who may still listen"},
	{"FeedRole", ".dynamodb:LeadingKeys", "r#*", "every room's permissions, to tell who may still listen, and its shards, which it adds to"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "member#*", "the members of every room: another owner, when a deleted person's membership ends"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "pair#*", "the records of direct rooms, which say who left"},
	{"FeedRole", "StringLike.dynamodb:LeadingKeys", "set#*", "the same"},
	{"FeedRole", ".Resource", "/ws/POST/@connections/*", "frames to any connection of this one API"},
	{"FeedRole", ".Resource", "/ws/DELETE/@connections/*", "the end of any connection of this one API"},
	{"SocketRole", ".dynamodb:LeadingKeys", "u#*", "every person's membership, to tell what they may read, and whom they have blocked"},
	{"SocketRole", ".dynamodb:LeadingKeys", "r#*", "every room's permissions, to tell who may read it"},
	{"SocketRole", ".dynamodb:LeadingKeys", "feed#*", "the heads of all feeds"},
	{"SocketRole", ".Resource", "/ws/POST/@connections/*", "frames to any connection of this one API"},
	{"SocketRole", ".Resource", "/ws/DELETE/@connections/*", "the end of any connection of this one API"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "room#*", "the subscriptions to all rooms: it ends removed people's subscriptions"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "user#*", "everybody's connections: suspended people's connections receive nothing more"},
	{"ReadRole", "StringLike.dynamodb:LeadingKeys", "room#*", "the subscriptions to all rooms: who is online"},
	{"ReadRole", "StringLike.dynamodb:LeadingKeys", "u#*", "every person's items, of which it writes only the budget of reads"},
	{"WriteRole", "StringNotLike.dynamodb:LeadingKeys", "feed#*", "a refusal: only the feed function appends to feeds"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "feed#*", "the heads of all feeds: a deleted room's is closed"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "u#*", "every person's items: only there facts and memberships end"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "hook#*", "the rows of all hooks, which end with their hooks"},
	{"ReadRole", "StringLike.dynamodb:LeadingKeys", "hook#*", "the rows of all hooks: how far their programs have fetched"},
	{"OutboxRole", "StringLike.dynamodb:LeadingKeys", "hook#*", "the rows of all hooks: what is new for them"},
	{"DeliverRole", "StringLike.dynamodb:LeadingKeys", "hook#*", "the rows of all hooks: how far their receivers have come"},
	{"DeliverRole", "StringLike.dynamodb:LeadingKeys", "feed#*", "the feeds of all rooms, which it reads"},
	{"DeliverRole", "StringLike.dynamodb:LeadingKeys", "r#*", "the shards of all rooms, to find messages"},
	{"DeliverRole", "StringLike.dynamodb:LeadingKeys", "u#*", "every person's memberships, of which changes tell"},
	{"DeliverRole", "StringNotLike.dynamodb:LeadingKeys", "*#*", "a refusal: of the partitions without a # it reads messages, and writes none"},
	{"HookQueuePolicy", ".Principal", "*", "a refusal: no one may use the queue without TLS"},
	{"HookQueuePolicy", ".Action", "sqs:*", "the same refusal: nothing may be done without TLS"},
	{"HookDeadLettersPolicy", ".Principal", "*", "a refusal: no one may use the queue without TLS"},
	{"HookDeadLettersPolicy", ".Action", "sqs:*", "the same refusal: nothing may be done without TLS"},
	{"OutboxRole", ".Resource", "/stream/*", "any stream of the one table: listing them cannot be granted for one of them"},
	{"PageHeaders", ".AccessControlAllowOrigins", "*", "the files are the same for everyone; no cookie is among them"},
	{"PageHeaders", ".AccessControlAllowHeaders", "*", "the same"},
	{"PageHeaders", ".ContentSecurityPolicy", "", "the APIs of the Region: the stack's own names are known only later, and checkPageHeaders states the whole text"},
	{"PageRole", ".Resource", "/*", "the files of the page's bucket, and of no other"},
	{"WriteRole", ".Resource", "/*", "all files of the one bucket, whose keys are unknown before they are uploaded"},
	{"ReadRole", ".Resource", "/*", "the same"},
	{"FeedRole", ".Resource", "/*", "the same"},
	{"FilesBucketPolicy", ".Resource", "/*", "all files, in the refusal below"},
	{"FilesBucketPolicy", ".Principal.AWS", "*", "a refusal: no one may use the bucket without TLS"},
	{"FilesBucketPolicy", ".Action", "s3:*", "the same refusal: nothing may be done without TLS"},
	{"PageBucketPolicy", ".Resource", "/*", "the files of the page's bucket, which only CloudFront reads"},
	{"PageBucketPolicy", ".Principal.AWS", "*", "a refusal: no one may use the bucket without TLS"},
	{"PageBucketPolicy", ".Action", "s3:*", "the same refusal: nothing may be done without TLS"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "member#*", "the members of every room: another owner, when one leaves"},
	{"WriteRole", "StringLike.dynamodb:LeadingKeys", "closed#*", "the members for whom an archived room does not count: it does again once it is unarchived"},
}

// checkFunctions checks that each function runs as it is built, within the time limits of AWS, with
// its own role and log.
func checkFunctions(i *inspection) {
	i.sameSet("function", i.ids(typeFunction), i.functionIDs())
	for folder, name := range i.functions() {
		f := i.Resources[name+"Function"]
		timeout := f.number("Timeout")
		i.expect(timeout >= 1 && timeout <= maxTimeout, "%s: timeout %v", folder, timeout)
		least, answers := leastTimeout(folder)
		i.expect(timeout >= least, "%s: is ended after %v s, before it has given up by itself", folder, timeout)
		i.expect(!answers || timeout < integration, "%s: API Gateway gives up before the timeout of %v s", folder, timeout)
		i.expect(f.number("MemorySize") == float64(i.sizes()[folder].MemoryMB), "%s: memory %v MB", folder, f.number("MemorySize"))
		want := any(nil) // nothing is reserved
		if n := i.sizes()[folder].Reserved; n > 0 {
			want = float64(n)
		}
		i.expect(f.get("ReservedConcurrentExecutions") == want, "%s: %v places are reserved", folder, f.get("ReservedConcurrentExecutions"))
		i.expect(f.text("Runtime") == "provided.al2023" && f.text("Handler") == "bootstrap", "%s: runtime %q", folder, f.text("Runtime"))
		i.sameSet(folder+": architecture", texts(f.get("Architectures")), []string{string(i.config.Architecture)})
		i.expect(ref(f.get("Role")) == name+"Role", "%s: role %q", folder, ref(f.get("Role")))
		i.expect(ref(f.get("LoggingConfig", "LogGroup")) == name+"Logs", "%s: log %q", folder, ref(f.get("LoggingConfig", "LogGroup")))
		i.expect(f.text("LoggingConfig", "ApplicationLogLevel") == "TRACE", "%s: Lambda drops lines of ours", folder)
	}
	for _, id := range i.ids(typeIntegration) {
		ms := i.Resources[id].number("TimeoutInMillis")
		i.expect(ms == 0 || ms <= integration*1000, "integration %s: timeout %v ms", id, ms)
	}
}

// leastTimeout returns the least time that a function needs in seconds, and whether API Gateway waits
// for its answer.
func leastTimeout(folder string) (seconds float64, answers bool) {
	switch folder {
	case "write", "read", "socket", "incoming":
		return httpapi.RequestTimeout.Seconds() + 1, true
	case "search": // it gives a request up as the others do, and sweeps for longer
		return minSweepTimeout, false
	case "authorizer":
		return keysTimeout + 1, true
	}
	return minFeedTimeout, false
}

// sizes returns the configured size of each function.
func (i *inspection) sizes() map[string]config.Function {
	return map[string]config.Function{"write": i.config.Write, "read": i.config.Read, "search": i.config.Search, "incoming": i.config.Incoming, "feed": i.config.Feed, "canary": i.config.Canary, "socket": i.config.Socket, "authorizer": i.config.Authorizer, "page": i.config.PageWriter, "outbox": i.config.Outbox, "deliver": i.config.Deliver}
}

// checkVariables checks that a function has exactly the variables that it reads, with the right
// values. In dev they include the endpoints, which sam local invoke sets. Empty values stand for
// the service's own.
func checkVariables(i *inspection) {
	values := map[string]string{
		"PARLEY_TABLE":         i.at("${Table}"),
		"PARLEY_LOG_TABLE":     i.at("${LogTable}"),
		"PARLEY_FAILURE_QUEUE": "${FailureQueue}",
		"PARLEY_HOOK_QUEUE":    "${HookQueue}",
		"PARLEY_LOG_DAYS":      strconv.Itoa(i.config.Table.LogDays),
		"PARLEY_FEED_DAYS":     strconv.Itoa(i.config.Table.FeedDays),
		"PARLEY_SEND_RATE":     strconv.Itoa(i.config.API.SendRate),
		"PARLEY_ROOM_MAKERS":   cmp.Or(strings.Join(i.config.API.RoomMakers, ","), "everyone"),
		"PARLEY_DIRECTORY":     i.config.API.Directory,
		"PARLEY_PROFILES":      i.config.API.Profiles,
		"PARLEY_HOOKS":         i.config.API.Hooks,
		"PARLEY_NAME_CLAIM":    i.config.API.NameClaim,
		"PARLEY_USER_CLAIM":    i.config.Tokens.UserClaim,
		"PARLEY_TOKEN_LIFE":    map[bool]string{true: "12h0m0s", false: ""}[i.config.Tokens.OwnKeys()],
		"PARLEY_LOG_LEVEL":     i.config.Logs.Level,

		"PARLEY_FILES_BUCKET":   i.at("${FilesBucket}"),
		"PARLEY_FILE_MB":        strconv.Itoa(i.config.Files.MB),
		"PARLEY_FILE_DAY_MB":    strconv.Itoa(i.config.Files.DayMB),
		"PARLEY_FILE_DAY_COUNT": strconv.Itoa(i.config.Files.DayCount),
		"PARLEY_FILE_TYPES":     strings.Join(i.config.Files.Types, ","),

		"PARLEY_LIVE_TABLE":      "${LiveTable}",
		"PARLEY_SOCKET_ENDPOINT": "https://${SocketApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/ws",
		"PARLEY_POST_RATE":       strconv.Itoa(i.config.API.PostRate),
		"PARLEY_ISSUER":          i.issuer(),
		"PARLEY_AUDIENCE":        strings.Join(i.audiences(), ","),
		"PARLEY_ORIGINS":         strings.Join(i.origins(), ","),
		"PARLEY_PAGE_BUCKET":     "${PageBucket}",

		"PARLEY_URL":              i.apiURL(),
		"PARLEY_USER_POOL":        "${UserPool}",
		"PARLEY_USER_POOL_CLIENT": "${UserPoolClient}",
		"PARLEY_CANARY_PARAMETER": "/${AWS::StackName}/canary",
	}
	for folder, name := range i.functions() {
		variables, _ := i.Resources[name+"Function"].get("Environment", "Variables").(map[string]any)
		var got []string
		for v, value := range variables {
			if v == "GOGC" || v == "GOMEMLIMIT" {
				continue // checkCollector
			}
			got = append(got, v)
			i.expect(render(value) == values[v], "%s: %s is %q", folder, v, render(value))
		}
		want := slices.Clone(i.needs.variables[folder])
		if i.config.Env == config.Dev {
			want = append(want, i.needs.endpoints[folder]...)
		}
		i.sameSet(folder+": variable", got, want)
	}
}

// checkGrants checks that a function has one role, which only Lambda may assume. Its statements
// must plainly allow known actions on the function's own resources. Those for Lambda must be exact;
// checkRights checks those for the code.
func checkGrants(i *inspection) {
	i.expect(len(i.ids(typePolicy)) == 0 && len(i.ids("AWS::IAM::ManagedPolicy")) == 0, "there are policies outside of the roles")
	for folder, name := range i.functions() {
		role := i.Resources[name+"Role"]
		i.expect(role.Type == typeRole && role.get("ManagedPolicyArns") == nil, "%s: the role has managed policies", folder)
		trust := role.get("AssumeRolePolicyDocument", "Statement", "0")
		i.expect(render(get(trust, "Principal", "Service")) == "lambda.amazonaws.com" && get(trust, "Action") == "sts:AssumeRole" && get(trust, "Effect") == "Allow", "%s: Lambda may not take the role", folder)
		grants := i.grants(role, name)
		for sid, want := range lambdaUses(folder) {
			i.sameSet(folder+": "+sid, grants[sid], want)
		}
		for sid := range grants {
			i.expect(rights.LambdaUses[sid] == "" || lambdaUses(folder)[sid] != nil, "%s: Lambda has no use for %s", folder, sid)
		}
	}
	var roles []string
	if i.config.Logs.OwnGatewayRole {
		roles = append(roles, "GatewayLogsRole")
	}
	for _, name := range i.functions() {
		roles = append(roles, name+"Role")
	}
	i.sameSet("role", i.ids(typeRole), roles)
}

// grants returns the rights of a role by statement, as "action resource".
func (i *inspection) grants(role resource, name string) map[string][]string {
	const connections = "arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:${SocketApi}/ws/"
	resources := map[string]string{
		i.at("${Table.Arn}"): "table", i.at("${Table.Arn}/index/GSI1"): "index", i.at("${LogTable.Arn}"): "activity", "${" + name + "Logs.Arn}": "log",
		i.at("${Table.StreamArn}"): "stream", i.at("${Table.Arn}/stream/*"): "streams", "${FailureQueue.Arn}": "failures", "${HookQueue.Arn}": "wakes",
		"${LiveTable.Arn}": "live", connections + "POST/@connections/*": "posts", connections + "DELETE/@connections/*": "closes",
		"${PageBucket.Arn}/*": "page", "${PageBucket.Arn}": "page", i.at("${FilesBucket.Arn}/*"): "files", i.at("${FilesBucket.Arn}/_people/*"): "pictures",
		i.at("${FilesBucket.Arn}/_search/*"): "index of searches", i.at("${FilesBucket.Arn}"): "bucket of files",
		"${UserPool.Arn}": "pool", "arn:${AWS::Partition}:ssm:${AWS::Region}:${AWS::AccountId}:parameter/${AWS::StackName}/canary": "password",
	}
	grants := map[string][]string{}
	for _, policy := range list(role.get("Policies")) {
		for _, s := range list(get(policy, "PolicyDocument", "Statement")) {
			i.expect(get(s, "Effect") == "Allow" && get(s, "NotAction") == nil && get(s, "NotResource") == nil, "%s: a statement that does not plainly allow", name)
			sid, _ := get(s, "Sid").(string)
			i.expect(sid != "" && grants[sid] == nil, "%s: a statement has no Sid of its own", name)
			for _, a := range texts(get(s, "Action")) {
				i.expect(slices.Contains(actions, a), "%s: %s is no action that is known here", name, a)
				for _, r := range list(get(s, "Resource")) {
					on := resources[render(r)]
					i.expect(on != "", "%s: %s is granted on %s", name, a, render(r))
					grants[sid] = append(grants[sid], a+" "+on)
				}
			}
		}
	}
	return grants
}

// checkWildcards checks that rights contain no * except the listed ones.
func checkWildcards(i *inspection) {
	for id, r := range i.Resources {
		if !strings.HasPrefix(r.Type, "AWS::IAM::") && r.Type != typePermission && !strings.HasSuffix(r.Type, "Policy") {
			continue
		}
		walk(r.Properties, "", func(path, text string) {
			if !strings.Contains(text, "*") {
				return
			}
			for _, w := range wildcards {
				if strings.HasPrefix(id, w.id) && strings.Contains(path, w.path) && strings.HasPrefix(i.withoutAdopted(text), w.text) {
					return
				}
			}
			i.expect(false, "%s has %q at %s", id, text, path)
		})
	}
}

// withoutAdopted returns a part of an ARN without the adopted resource at its beginning.
func (i *inspection) withoutAdopted(arn string) string {
	if name := i.config.Table.AdoptFiles; name != "" {
		arn = strings.TrimPrefix(arn, ":s3:::"+name)
	}
	return strings.TrimPrefix(arn, config.TableOf(i.config.Table.AdoptStream))
}
