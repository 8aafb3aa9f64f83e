package config_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"reflect"
	"testing"

	"example.com/parley/infra/config"
	"example.com/parley/internal/docs"
)

// TestSettings_HasTheFieldsOfEverySample reads the settings that the guides print.
func TestSettings_HasTheFieldsOfEverySample(t *testing.T) {
	t.Parallel()
	blocks, err := docs.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	samples := 0
	for _, b := range blocks {
		if b.Kind != docs.Go {
			continue
		}
		samples++
		if err := checkSample(b.Text); err != nil {
			t.Errorf("%s: %v", b, err)
		}
	}
	if samples == 0 {
		t.Error("the guides print no settings: remove this test")
	}
	for _, wrong := range []string{"Pages: 1,", `Page: config.Page{Hosts: "x"},`, `Page: config.Page{SignIn: config.PageSignIn{URL: ""}},`, "Page: {"} {
		if checkSample(wrong) == nil {
			t.Errorf("%s is taken for settings", wrong)
		}
	}
}

// checkSample returns an error unless lines are fields of Settings.
func checkSample(lines string) error {
	expr, err := parser.ParseExpr("config.Settings{\n" + lines + "}")
	if err != nil {
		return err
	}
	return checkFields(expr.(*ast.CompositeLit), reflect.TypeFor[config.Settings]())
}

// checkFields returns an error unless a literal names fields of a struct, down to its innermost
// literals.
func checkFields(literal *ast.CompositeLit, of reflect.Type) error {
	if of.Kind() != reflect.Struct {
		return nil // a list, whose elements the compiler of a reader checks
	}
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return fmt.Errorf("%s has an element without a name", of)
		}
		name := pair.Key.(*ast.Ident).Name
		field, ok := of.FieldByName(name)
		if !ok {
			return fmt.Errorf("%s has no field %s", of, name)
		}
		if inner, ok := pair.Value.(*ast.CompositeLit); ok {
			if err := checkFields(inner, field.Type); err != nil {
				return err
			}
		}
	}
	return nil
}
