package httpapi_test

import (
	"slices"
	"strings"
	"testing"
)

func TestReports_ModeratorsAndServicesSeeAndResolveThem(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.want(t, 201, "PUT", "/rooms/seattle", "")
	hidden := a.want(t, 201, "POST", "/rooms", `{"visibility":"private","name":"x"}`).body["id"].(string)
	a.want(t, 201, "PUT", "/rooms/"+hidden+"/members/carl", `{"role":"member"}`)
	service := []string{userHeader, "desk", serviceHeader, "yes"}
	var ids []string
	for _, room := range []string{"seattle", hidden} {
		message := a.want(t, 201, "POST", "/rooms/"+room+"/messages", `{"text":"geheimnis"}`).body["id"].(string)
		reports := "/rooms/" + room + "/messages/" + message + "/reports"
		first := a.want(t, 201, "POST", reports, `{"reason":"spam"}`, userHeader, "carl")
		if again := a.want(t, 200, "POST", reports, `{"reason":"other"}`, userHeader, "carl"); again.text != first.text {
			t.Errorf("once more: %s, first %s", again.text, first.text)
		}
		a.want(t, 422, "POST", reports, `{"reason":" "}`, userHeader, "dora")
		if strings.Contains(first.text, "geheimnis") || first.body["id"] != message+"~carl" || first.body["reason"] != "spam" {
			t.Errorf("the report is %s", first.text)
		}
		ids = append(ids, first.body["id"].(string))
	}
	a.want(t, 404, "POST", "/rooms/"+hidden+"/messages/"+strings.TrimSuffix(ids[1], "~carl")+"/reports", `{"reason":"x"}`, userHeader, "eve")
	a.want(t, 403, "GET", "/rooms/seattle/reports", "", userHeader, "carl")
	a.want(t, 403, "GET", "/reports", "")
	a.want(t, 403, "GET", "/reports", "", via("amsg")...)
	open := func() (n int) {
		t.Helper()
		all := a.want(t, 200, "GET", "/reports?limit=1", "", service...)
		n = len(all.body["items"].([]any))
		if next, ok := all.body["next"].(string); ok {
			n += len(a.want(t, 200, "GET", "/reports?limit=1&cursor="+next, "", service...).body["items"].([]any))
		}
		return n
	}
	if got := open(); got != 2 {
		t.Errorf("%d reports are open, want 2", got)
	}
	const resolved = `{"resolved":true}`
	a.want(t, 403, "PATCH", "/rooms/seattle/reports/"+ids[0], resolved, userHeader, "carl")
	a.want(t, 404, "PATCH", "/rooms/"+hidden+"/reports/"+ids[1], resolved, userHeader, "eve")
	a.want(t, 422, "PATCH", "/rooms/seattle/reports/"+ids[0], `{"resolved":false}`)
	a.want(t, 422, "PATCH", "/rooms/seattle/reports/none", resolved)
	a.want(t, 404, "PATCH", "/rooms/seattle/reports/"+ids[1], resolved)
	for range 2 {
		if got := a.want(t, 200, "PATCH", "/rooms/seattle/reports/"+ids[0], resolved); got.body["resolvedBy"] != "amsg" {
			t.Errorf("resolved: %s", got.text)
		}
	}
	a.want(t, 200, "PATCH", "/rooms/"+hidden+"/reports/"+ids[1], resolved, service...)
	if got := open(); got != 0 {
		t.Errorf("%d reports are open, want none", got)
	}
	for room, by := range map[string]string{"seattle": "amsg", hidden: "desk"} {
		list := a.want(t, 200, "GET", "/rooms/"+room+"/reports", "")
		if !strings.Contains(list.text, `"resolvedBy":"`+by+`"`) {
			t.Errorf("the reports of %s are %s", room, list.text)
		}
		if got := auditOf(t, a, room, "amsg"); !slices.Contains(got, by+" via <nil> report.resolved") || strings.Count(strings.Join(got, " "), "report.resolved") != 1 {
			t.Errorf("the audit of %s is %q", room, got)
		}
	}
}
