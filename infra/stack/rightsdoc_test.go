package stack_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var rightsRow = regexp.MustCompile("(?m)^\\| ([a-z]+) \\| `([A-Za-z]+)` \\| `([^`]+)` \\| ([^|]+) \\| ([^|]*)\\| (.+) \\|$")

// TestGrants_MatchTheRightsPage compares the page's table with the template: every statement of
// every role, with its actions, resource and keys.
func TestGrants_MatchTheRightsPage(t *testing.T) {
	var listed []string
	for _, row := range rightsRow.FindAllStringSubmatch(readText(t, filepath.Join(root, "docs", "security.md")), -1) {
		listed = append(listed, strings.Join([]string{row[1], row[2], row[3], strings.ReplaceAll(row[4], "`", ""), strings.TrimSpace(row[5])}, " | "))
	}
	own := deployments["dev"].template // the one with a canary and its own tables
	var want []string
	for _, id := range own.ids(typeRole) {
		function, _ := strings.CutSuffix(id, "Role")
		for _, s := range statements(own, id) {
			var actions []string
			for _, a := range texts(get(s, "Action")) {
				_, name, _ := strings.Cut(a, ":")
				actions = append(actions, name)
			}
			want = append(want, strings.Join([]string{
				strings.ToLower(function), get(s, "Sid").(string), shortResource(render(get(s, "Resource"))), strings.Join(actions, " "), keysOf(s),
			}, " | "))
		}
	}
	if len(want) == 0 {
		t.Fatal("the template has no statements")
	}
	slices.Sort(want)
	slices.Sort(listed)
	if got, want := strings.Join(listed, "\n"), strings.Join(want, "\n"); got != want {
		t.Errorf("docs/security.md lists\n%s\n\nand the template has\n%s", got, want)
	}
}

// shortResource formats a resource as the page does.
func shortResource(rendered string) string {
	r := strings.NewReplacer("${", "", ".Arn}", "", ".StreamArn}", "/stream", "}", "").Replace(rendered)
	if _, connections, ok := strings.Cut(r, ":SocketApi/"); ok {
		return "SocketApi/" + connections
	}
	if _, parameter, ok := strings.Cut(r, ":parameter/"); ok {
		return "parameter/" + parameter[strings.LastIndexByte(parameter, '/')+1:]
	}
	return r
}

// keysOf formats a statement's condition as the page does.
func keysOf(s any) string {
	if prefix := texts(get(s, "Condition", "StringLike", "s3:prefix")); len(prefix) > 0 {
		keys := "`" + strings.Join(prefix, "` `") + "`"
		if but := texts(get(s, "Condition", "StringNotLike", "s3:prefix")); len(but) > 0 {
			keys += ", not `" + strings.Join(but, "` `") + "`"
		}
		return keys
	}
	for operator, not := range map[string]string{"ForAllValues:StringLike": "", "ForAllValues:StringNotLike": "not "} {
		if keys := texts(get(s, "Condition", operator, "dynamodb:LeadingKeys")); len(keys) > 0 {
			only := ""
			if names := texts(get(s, "Condition", "ForAllValues:StringEquals", "dynamodb:Attributes")); len(names) > 0 {
				only = ", only `" + strings.Join(names, "` `") + "`"
			}
			return not + "`" + strings.Join(keys, "` `") + "`" + only
		}
	}
	return ""
}
