package stack_test

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"parley/internal/httpapi"
)

// needs is what the code asks of the stack. It is read from the code, so that no check
// compares the stack with a copy of itself.
type needs struct {
	routes    []httpapi.Route
	variables map[string][]string // by function
	grants    map[string][]string // by function: "dynamodb:Query index"
}

// functions are the folders below functions/ that the stack deploys, with
// the first word of their logical ids.
var functions = map[string]string{"write": "Write", "read": "Read"}

func readNeeds() (needs, error) {
	c, err := load("functions/write", "functions/read", "internal/httpapi", "internal/dynamo")
	if err != nil {
		return needs{}, err
	}
	n := needs{routes: httpapi.Routes(), variables: map[string][]string{}, grants: map[string][]string{}}
	for f := range functions {
		main := c.find("functions/"+f, "main")
		if main == nil {
			return needs{}, fmt.Errorf("functions/%s has no main", f)
		}
		handlers := c.handlers(f)
		if len(handlers) == 0 {
			return needs{}, fmt.Errorf("no operation is defined for function %s", f)
		}
		bodies := c.reach(append(handlers, main), c.onDynamo, c.defines)
		n.variables[f] = c.variables(bodies)
		n.grants[f] = c.grantsOf(bodies)
	}
	return n, nil
}

// defines tells a function that makes table entries: it names the handlers of
// every function, which does not mean that it calls them.
func (c *code) defines(body *ast.FuncDecl) bool { return len(definitions(body)) > 0 }

// definitions are the calls define(Function, operation, handler) in a body.
func definitions(body *ast.FuncDecl) []*ast.CallExpr {
	var calls []*ast.CallExpr
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 3 {
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "define" {
				calls = append(calls, call)
			}
		}
		return true
	})
	return calls
}

// handlers are what the operations of a function call.
func (c *code) handlers(function string) []*types.Func {
	var handlers []*types.Func
	for _, body := range c.bodies {
		for _, call := range definitions(body) {
			role, _ := call.Args[0].(*ast.Ident)
			handler, _ := call.Args[2].(*ast.Ident)
			if role == nil || handler == nil || !strings.EqualFold(role.Name, function) {
				continue
			}
			if f, ok := c.info.Uses[handler].(*types.Func); ok {
				handlers = append(handlers, f)
			}
		}
	}
	return handlers
}

// onDynamo resolves a method of the domain's store contract to the store on
// DynamoDB.
func (c *code) onDynamo(f *types.Func) *types.Func {
	recv := f.Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) || f.Pkg() == nil || f.Pkg().Path() != module+"internal/chat" {
		return nil
	}
	store := "Store."
	if onLog(f.Signature()) {
		store = "LogStore."
	}
	return c.find("internal/dynamo", store+f.Name())
}

// onLog tells a method of the activity log's store, in the domain or on DynamoDB.
func onLog(s *types.Signature) bool {
	if s.Recv() == nil {
		return false
	}
	t := s.Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := t.(*types.Named)
	return ok && named.Obj().Name() == "LogStore"
}

// variables are those of ours that a function reads.
func (c *code) variables(bodies []*ast.FuncDecl) []string {
	names := map[string]bool{}
	for _, body := range bodies {
		for _, value := range c.constants(body) {
			if strings.HasPrefix(value, "PARLEY_") {
				names[value] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// grantsOf are the rights that a function's calls to DynamoDB take. A call is
// told by its input: dynamodb.QueryInput; methods of LogStore call the activity log. A transaction takes the rights of
// what is in it; a query of an index takes the index as well.
func (c *code) grantsOf(bodies []*ast.FuncDecl) []string {
	grants := map[string]bool{}
	for _, body := range bodies {
		on, index := " table", false
		if f, ok := c.info.Defs[body.Name].(*types.Func); ok && onLog(f.Signature()) {
			on = " activity"
		}
		operations := map[string]bool{}
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if op := operation(n); op != "" {
					operations[op] = true
				}
			case *ast.Ident:
				index = index || n.Name == "IndexName"
			}
			return true
		})
		for op := range operations {
			grants["dynamodb:"+op+on] = true
			if index && (op == "Query" || op == "Scan") {
				grants["dynamodb:"+op+" index"] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(grants))
}

// operation is the action that a composite literal of the SDK asks for, if any.
func operation(lit *ast.CompositeLit) string {
	sel, ok := lit.Type.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	inTransaction := map[string]string{
		"Put": "PutItem", "Update": "UpdateItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem", "Get": "GetItem",
	}
	switch pkg, _ := sel.X.(*ast.Ident); {
	case pkg == nil:
		return ""
	case pkg.Name == "types":
		return inTransaction[sel.Sel.Name]
	case pkg.Name == "dynamodb" && !strings.HasPrefix(sel.Sel.Name, "Transact"):
		op, isInput := strings.CutSuffix(sel.Sel.Name, "Input")
		if isInput {
			return op
		}
	}
	return ""
}

// TestNeedsAreReadFromTheCode pins what the reading finds today, so that a reading
// which has gone blind is noticed. A change of the code belongs here and in
// the stack.
func TestNeedsAreReadFromTheCode(t *testing.T) {
	n, err := readNeeds()
	if err != nil {
		t.Fatal(err)
	}
	read := []string{
		"dynamodb:BatchGetItem table", "dynamodb:GetItem table", "dynamodb:Query activity", "dynamodb:Query index", "dynamodb:Query table",
	}
	write := []string{
		"dynamodb:BatchGetItem table", "dynamodb:ConditionCheckItem table", "dynamodb:DeleteItem table", "dynamodb:GetItem table",
		"dynamodb:PutItem activity", "dynamodb:PutItem table", "dynamodb:Query activity", "dynamodb:Query table", "dynamodb:UpdateItem table",
	}
	variables := []string{"PARLEY_LOG_DAYS", "PARLEY_LOG_LEVEL", "PARLEY_LOG_TABLE", "PARLEY_ROOM_MAKERS", "PARLEY_SEND_RATE", "PARLEY_TABLE"}
	want := needs{
		routes:    n.routes,
		variables: map[string][]string{"read": variables, "write": variables},
		grants:    map[string][]string{"read": read, "write": write},
	}
	if diff := cmp.Diff(want, n, cmp.AllowUnexported(needs{})); diff != "" {
		t.Error(diff)
	}
	if len(n.routes) < 7 {
		t.Errorf("Routes lists only %d routes", len(n.routes))
	}
}
