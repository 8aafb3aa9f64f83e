package rights

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"example.com/parley/internal/table"
)

// Call is one kind of call of a function to a resource. It is the same in every run of a test,
// because it holds the kinds of keys instead of keys.
type Call struct {
	// Action is an IAM action, such as "dynamodb:PutItem".
	Action string
	// Resource is a logical id, such as "Table" or "Table/index/GSI1", or "parameter/…".
	Resource string
	// Keys lists the kinds of the partition keys, such as "feed#x", sorted and without duplicates.
	// For a list of objects it is the kind of the prefix.
	Keys string
	// Attributes lists the attributes to which a call on messages is confined, sorted; empty if it
	// may read or return others. It is recorded only for the partitions of messages.
	Attributes string
}

func (c Call) String() string {
	s := c.Action + " " + c.Resource
	if c.Keys != "" {
		s += " " + c.Keys
	}
	if c.Attributes != "" {
		s += " " + confined + " " + c.Attributes
	}
	return s
}

// confined precedes the attributes of a call in a recording.
const confined = "only"

// everyAttribute stands for the attributes of a call that is not confined. No condition has it.
const everyAttribute = "every attribute"

// request returns the IAM request for a call.
func (c Call) request(s *Stack) (Request, error) {
	if strings.HasPrefix(c.Resource, "parameter/") { // parameters are not in the template
		return Request{Action: c.Action, Resource: "arn:aws:ssm:" + Region + ":" + Account + ":" + c.Resource, Context: map[string][]string{}}, nil
	}
	id, below, _ := strings.Cut(c.Resource, "/")
	arn, err := s.ARN(id)
	if err != nil {
		return Request{}, err
	}
	if below != "" {
		arn += "/" + below
	}
	r := Request{Action: c.Action, Resource: arn, Context: map[string][]string{}}
	if c.Keys != "" {
		r.Context[c.keysCondition()] = strings.Fields(c.Keys)
	}
	if strings.HasPrefix(c.Action, "dynamodb:") {
		r.Context["dynamodb:Attributes"], r.Context["dynamodb:Select"] = []string{everyAttribute}, []string{"ALL_ATTRIBUTES"}
		if c.Attributes != "" {
			r.Context["dynamodb:Attributes"], r.Context["dynamodb:Select"] = strings.Fields(c.Attributes), []string{"SPECIFIC_ATTRIBUTES"}
		}
	}
	return r, nil
}

// Names maps the physical names of the resources that a test creates to their logical ids. A
// physical name may have wildcards, for tests that create several tables.
type Names map[string]string

func (n Names) id(physical string) (string, error) {
	for name, id := range n {
		if like(name, physical) {
			return id, nil
		}
	}
	return "", fmt.Errorf("unknown table, queue or bucket %q", physical)
}

// calls returns the calls in a request of the SDK. The target is from the request's header. A
// transaction needs only the permissions of its actions. A query of an index needs only the index.
func (n Names) calls(target string, body []byte) ([]Call, error) {
	service, operation, _ := strings.Cut(target, ".")
	var in input
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	switch service {
	case "AmazonSSM":
		return []Call{{Action: "ssm:" + operation, Resource: "parameter" + in.Name}}, nil
	case "AWSCognitoIdentityProviderService":
		resource, err := n.id(in.UserPoolID)
		return []Call{{Action: "cognito-idp:" + operation, Resource: resource}}, err
	case "AmazonSQS":
		resource, err := n.id(in.QueueURL[strings.LastIndexByte(in.QueueURL, '/')+1:])
		return []Call{{Action: "sqs:" + strings.TrimSuffix(operation, "Batch"), Resource: resource}}, err
	}
	switch operation {
	case "TransactWriteItems", "TransactGetItems":
		var all []Call
		for _, items := range in.TransactItems {
			for kind, item := range items {
				c, err := n.call(transacted[kind], item)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", target, err)
				}
				c.Attributes = "" // no right on messages in transactions is confined
				all = append(all, c)
			}
		}
		return all, nil
	case "BatchGetItem", "BatchWriteItem":
		var all []Call
		for name, of := range in.RequestItems {
			c, err := n.batch(operation, name, of)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", target, err)
			}
			all = append(all, c)
		}
		return all, nil
	}
	c, err := n.call(operation, in.item)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", target, err)
	}
	return []Call{c}, nil
}

// connectionCall returns the call in a request to the address of connections, or nil for another
// request. API Gateway authorizes it by the method, for a stage.
func connectionCall(r *http.Request) []Call {
	base, _, ok := strings.Cut(r.URL.Path, "/@connections/")
	if !ok {
		return nil
	}
	stage := base[strings.LastIndexByte(base, '/')+1:]
	return []Call{{Action: "execute-api:ManageConnections", Resource: "SocketApi/" + stage + "/" + r.Method + "/@connections/x"}}
}

// input holds the parts of a request's body that matter to IAM.
type input struct {
	item
	TransactItems []map[string]item
	RequestItems  map[string]json.RawMessage
	QueueURL      string `json:"QueueUrl"`
	UserPoolID    string `json:"UserPoolId"`
	Name          string // the name of a parameter
}

type item struct {
	TableName, IndexName      string
	Key, Item                 map[string]value
	KeyConditionExpression    string
	ConditionExpression       string
	ProjectionExpression      string
	UpdateExpression          string
	ReturnValues              string
	OnFailure                 string `json:"ReturnValuesOnConditionCheckFailure"`
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value
}

type value struct{ S string }

// transacted maps the parts of a transaction to the operations that IAM authorizes.
var transacted = map[string]string{
	"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem",
}

// call returns the call for one operation on one table or index.
func (n Names) call(operation string, in item) (Call, error) {
	resource, err := n.id(in.TableName)
	if err != nil {
		return Call{}, err
	}
	attribute, ok := partitionKeys[resource+"/"+in.IndexName]
	if !ok {
		return Call{}, fmt.Errorf("unknown index %q of table %q", in.IndexName, in.TableName)
	}
	if resource == "LogTable" && operation == "PutItem" && !strings.HasPrefix(in.ConditionExpression, "attribute_not_exists(") {
		return Call{}, errors.New("a put into the log without a condition, which IAM cannot demand: it may overwrite a line of an audit")
	}
	c := Call{Action: "dynamodb:" + operation, Resource: resource}
	if in.IndexName != "" {
		c.Resource += "/index/" + in.IndexName
	}
	key := in.Key[attribute].S + in.Item[attribute].S + in.queried(attribute)
	c.Keys, err = keyKind(resource, key)
	if resource == "Table" && in.IndexName == "" && slices.Contains(confinedKinds, c.Keys) {
		c.Attributes = in.attributes()
	}
	return c, err
}

// confinedKinds are the kinds of partitions in which a function may be confined to attributes:
// partitions with messages' texts, people's partitions, and partitions of rooms, their items and
// the records of direct rooms.
var confinedKinds = []string{"x-1", "m#x", "u#x", botKind, "p#x", "r#x", "pair#x", "set#x"}

// attributes returns the attributes to which a read or an update is confined, or "". Every name of
// an expression must be a placeholder, except key names.
func (in item) attributes() string {
	returns := in.ReturnValues != "" && in.ReturnValues != "NONE" || in.OnFailure != "" && in.OnFailure != "NONE"
	if returns || in.ProjectionExpression == "" && in.UpdateExpression == "" {
		return ""
	}
	names := map[string]bool{table.PK: true, table.SK: true}
	for _, name := range in.ExpressionAttributeNames {
		names[name] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(names)), " ")
}

// queried returns the partition key in the condition of a query.
func (in item) queried(attribute string) string {
	for _, equal := range equality.FindAllStringSubmatch(in.KeyConditionExpression, -1) {
		name := equal[1]
		if long, ok := in.ExpressionAttributeNames[name]; ok {
			name = long
		}
		if name == attribute {
			return in.ExpressionAttributeValues[equal[2]].S
		}
	}
	return ""
}

var equality = regexp.MustCompile(`([\w#]+)\s*=\s*(:\w+)`)

// batch returns the call for the part of a batch that concerns one table.
func (n Names) batch(operation, name string, of json.RawMessage) (Call, error) {
	var read struct {
		item
		Keys []map[string]value
	}
	if operation != "BatchGetItem" {
		return Call{}, fmt.Errorf("%s is not supported: no function writes in batches", operation)
	}
	if err := json.Unmarshal(of, &read); err != nil {
		return Call{}, err
	}
	resource, err := n.id(name)
	if err != nil {
		return Call{}, err
	}
	c := Call{Action: "dynamodb:" + operation, Resource: resource}
	kinds := map[string]bool{}
	for _, key := range read.Keys {
		kind, err := keyKind(c.Resource, key[partitionKeys[c.Resource+"/"]].S)
		if err != nil {
			return Call{}, err
		}
		kinds[kind] = true
	}
	c.Keys = strings.Join(slices.Sorted(maps.Keys(kinds)), " ")
	if resource == "Table" && slices.Contains(confinedKinds, c.Keys) {
		c.Attributes = read.attributes()
	}
	return c, nil
}

// partitionKeys maps tables and indexes to the attribute that dynamodb:LeadingKeys refers to.
var partitionKeys = map[string]string{
	"Table/":               table.PK,
	"Table/" + table.Index: table.IndexPK,
	"LogTable/":            table.LogPK,
	"LiveTable/":           table.PK,
}

// botKind is the kind of the partitions of webhooks' bots. They are people's, but one function may
// reach only them.
const botKind = "u#bot:x"

// shardKey matches the partition key of one shard of a room.
var shardKey = regexp.MustCompile(`^[a-z0-9-]+-[1-9][0-9]*$`)

// keyKind returns the kind of a key: the key with x in place of its variable parts. A key that the
// key chart does not have is an error.
func keyKind(resource, key string) (string, error) {
	prefix, _, hasFields := strings.Cut(key, "#")
	kind := key
	if hasFields {
		kind = prefix + "#x"
	}
	switch {
	case resource == "LogTable" && hasFields:
		if prefix != "r" {
			kind = "x#x" // the log of a user's device
		}
		return kind, nil
	case resource != "LiveTable" && shardKey.MatchString(key):
		return "x-1", nil
	case resource == "Table" && strings.HasPrefix(key, strings.TrimSuffix(botKind, "x")):
		return botKind, nil
	case charted()[resource+" "+kind]:
		return kind, nil
	}
	return "", fmt.Errorf("%q is not a partition key of %s in docs/keys.md", key, resource)
}
