package stack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestErrorRatio_RaisesTheAlarm evaluates the alarm's expression. It works for a team of five and
// one of five thousand, and never raises an alarm for one or two errors.
func TestErrorRatio_RaisesTheAlarm(t *testing.T) {
	a := deployments["prod"].template.Resources["ApiErrors"]
	var expression string
	for _, m := range list(a.get("Metrics")) {
		if get(m, "Expression") != nil {
			expression = render(get(m, "Expression"))
		}
	}
	parsed, err := parser.ParseExpr(expression)
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	tests := []struct {
		errors, requests float64
		raised           bool
	}{
		{0, 10, false},
		{1, 1, false}, // at night
		{2, 4, false},
		{3, 4, true},
		{3, 60, true},
		{3, 61, false},
		{20, 100_000, false}, // a count of 20 raised the alarm once
		{5_000, 100_000, true},
	}
	for _, tt := range tests {
		value := evaluate(t, parsed, map[string]float64{"errors": tt.errors, "requests": tt.requests})
		if raised := value >= a.number("Threshold"); raised != tt.raised {
			t.Errorf("%v errors of %v requests: %v, raised %v", tt.errors, tt.requests, value, raised)
		}
	}
}

// evaluate computes the subset of metric math that the alarms use.
func evaluate(t *testing.T, e ast.Expr, metrics map[string]float64) float64 {
	t.Helper()
	switch e := e.(type) {
	case *ast.Ident:
		value, ok := metrics[e.Name]
		if !ok {
			t.Fatalf("unknown metric %s", e.Name)
		}
		return value
	case *ast.BasicLit:
		value, err := strconv.ParseFloat(e.Value, 64)
		if err != nil {
			t.Fatal(err)
		}
		return value
	case *ast.CallExpr:
		if name, ok := e.Fun.(*ast.Ident); !ok || name.Name != "IF" || len(e.Args) != 3 {
			t.Fatalf("only IF with three arguments is supported, not %v", e.Fun)
		}
		if evaluate(t, e.Args[0], metrics) != 0 {
			return evaluate(t, e.Args[1], metrics)
		}
		return evaluate(t, e.Args[2], metrics)
	case *ast.BinaryExpr:
		x, y := evaluate(t, e.X, metrics), evaluate(t, e.Y, metrics)
		switch e.Op {
		case token.MUL:
			return x * y
		case token.QUO:
			return x / y
		case token.GEQ:
			if x >= y {
				return 1
			}
			return 0
		}
	}
	t.Fatalf("%T is not supported", e)
	return 0
}
