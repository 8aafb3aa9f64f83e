package stack_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"testing"
)

// share is a number of responses of a kind among all, and whether it raises the alarm.
type share struct {
	responses, requests float64
	raised              bool
}

// TestErrorRatio_RaisesTheAlarm works for a team of five and one of five thousand, and never raises
// an alarm for one or two errors.
func TestErrorRatio_RaisesTheAlarm(t *testing.T) {
	wantRaised(t, "ApiErrors", "errors", []share{
		{0, 10, false},
		{1, 1, false}, // at night
		{2, 4, false},
		{3, 4, true},
		{3, 60, true},
		{3, 61, false},
		{20, 100_000, false}, // a count of 20 raised the alarm once
		{5_000, 100_000, true},
	})
}

// TestRefusedRatio_RaisesTheAlarm counts neither a scanner at night nor the expired tokens of a day.
func TestRefusedRatio_RaisesTheAlarm(t *testing.T) {
	wantRaised(t, "ApiRefusals", "refused", []share{
		{0, 1_000, false},
		{49, 49, false}, // a scanner at night
		{50, 50, true},
		{50, 250, true},
		{50, 251, false},
		{2_000, 100_000, false},
		{20_000, 100_000, true},
	})
}

// wantRaised evaluates the expression of an alarm on a share of all responses.
func wantRaised(t *testing.T, id, kind string, tests []share) {
	t.Helper()
	a := deployments["prod"].template.Resources[id]
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
	for _, tt := range tests {
		value := evaluate(t, parsed, map[string]float64{kind: tt.responses, "requests": tt.requests})
		if raised := value >= a.number("Threshold"); raised != tt.raised {
			t.Errorf("%s: %v of %v requests: %v, raised %v", id, tt.responses, tt.requests, value, raised)
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
