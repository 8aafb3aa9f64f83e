package rights

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"parley/internal/table"
)

// Call is what one function asks of one resource, without what differs between two runs of a test:
// of a key the kind is left.
type Call struct {
	Action   string // "dynamodb:PutItem"
	Resource string // "Table", "Table/index/GSI1", "LogTable", "FailureQueue" or "UserPool", logical ids; or "parameter/…"
	// Keys are the kinds of the partition keys, such as "feed#x", in order and each once.
	Keys string
}

func (c Call) String() string {
	if c.Keys == "" {
		return c.Action + " " + c.Resource
	}
	return c.Action + " " + c.Resource + " " + c.Keys
}

// request returns the question that a call puts to IAM.
func (c Call) request(s *Stack) (Request, error) {
	if strings.HasPrefix(c.Resource, "parameter/") { // of no resource in the template
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
		r.Context["dynamodb:LeadingKeys"] = strings.Fields(c.Keys)
	}
	return r, nil
}

// Names are the logical ids of what a test has made, by the physical names. A name may have
// wildcards, for tests that make several tables.
type Names map[string]string

func (n Names) id(physical string) (string, error) {
	for name, id := range n {
		if like(name, physical) {
			return id, nil
		}
	}
	return "", fmt.Errorf("the table or queue %q is not known", physical)
}

// calls reads what an SDK's request asks for. The target is that of its header. A transaction takes
// the rights of the actions in it and no other, and a query of an index takes the index alone.
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
		return []Call{{Action: "sqs:" + operation, Resource: resource}}, err
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

// input is what of a request's body matters to IAM.
type input struct {
	item
	TransactItems []map[string]item
	RequestItems  map[string]json.RawMessage
	QueueURL      string `json:"QueueUrl"`
	UserPoolID    string `json:"UserPoolId"`
	Name          string // of a parameter
}

type item struct {
	TableName, IndexName      string
	Key, Item                 map[string]value
	KeyConditionExpression    string
	ExpressionAttributeNames  map[string]string
	ExpressionAttributeValues map[string]value
}

type value struct{ S string }

// transacted are the operations that IAM decides on for the parts of a transaction.
var transacted = map[string]string{
	"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem",
}

// call is one operation on one table or index.
func (n Names) call(operation string, in item) (Call, error) {
	resource, err := n.id(in.TableName)
	if err != nil {
		return Call{}, err
	}
	attribute, ok := partitionKeys[resource+"/"+in.IndexName]
	if !ok {
		return Call{}, fmt.Errorf("index %q of table %q is not known", in.IndexName, in.TableName)
	}
	c := Call{Action: "dynamodb:" + operation, Resource: resource}
	if in.IndexName != "" {
		c.Resource += "/index/" + in.IndexName
	}
	key := in.Key[attribute].S + in.Item[attribute].S + in.queried(attribute)
	c.Keys, err = keyKind(resource, key)
	return c, err
}

// queried returns the partition that a query's condition names.
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

// batch returns a batch's part for one table.
func (n Names) batch(operation, name string, of json.RawMessage) (Call, error) {
	var keys struct{ Keys []map[string]value }
	if operation != "BatchGetItem" {
		return Call{}, fmt.Errorf("%s is not read here: no function writes in batches", operation)
	}
	if err := json.Unmarshal(of, &keys); err != nil {
		return Call{}, err
	}
	resource, err := n.id(name)
	if err != nil {
		return Call{}, err
	}
	c := Call{Action: "dynamodb:" + operation, Resource: resource}
	kinds := map[string]bool{}
	for _, key := range keys.Keys {
		kind, err := keyKind(c.Resource, key[partitionKeys[c.Resource+"/"]].S)
		if err != nil {
			return Call{}, err
		}
		kinds[kind] = true
	}
	c.Keys = strings.Join(slices.Sorted(maps.Keys(kinds)), " ")
	return c, nil
}

// partitionKeys are the attributes that dynamodb:LeadingKeys is taken from, by table and index.
var partitionKeys = map[string]string{
	"Table/":               table.PK,
	"Table/" + table.Index: table.IndexPK,
	"LogTable/":            table.LogPK,
}

// keyPrefixes begin the partition keys of the table and its index, before a #; fixedKeys are whole.
var (
	keyPrefixes = []string{"r", "m", "d", "u", "feed", "member", "current_title", "previous_title", "state"}
	fixedKeys   = []string{"rooms", "root"}
	shardKey    = regexp.MustCompile(`^[a-z0-9-]+-[1-9][0-9]*$`)
)

// keyKind returns an example of the keys of one kind, with x for what varies. A key of no known
// kind is an error: the key chart and this list go together.
func keyKind(resource, key string) (string, error) {
	prefix, _, hasFields := strings.Cut(key, "#")
	switch {
	case resource == "LogTable" && hasFields:
		if prefix != "r" {
			prefix = "x" // a person's device
		}
		return prefix + "#x", nil
	case hasFields && slices.Contains(keyPrefixes, prefix):
		return prefix + "#x", nil
	case slices.Contains(fixedKeys, key):
		return key, nil
	case shardKey.MatchString(key):
		return "x-1", nil
	}
	return "", fmt.Errorf("%q is no partition key of %s that is known here", key, resource)
}
