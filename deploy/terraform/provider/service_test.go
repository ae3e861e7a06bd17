package provider

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terraform-provider-plumbline/provider/api"
)

type reply struct {
	status  int
	headers map[string]string
	body    string
}

// served answers one reply after the other, and keeps what it was sent and how long was waited.
func served(t *testing.T, options Options, replies ...reply) (service *Service, requests *[]*http.Request, bodies *[]string, waits *[]time.Duration) {
	t.Helper()
	requests, bodies, waits = &[]*http.Request{}, &[]string{}, &[]time.Duration{}
	server := httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, _ := io.ReadAll(request.Body)
		*requests, *bodies = append(*requests, request), append(*bodies, string(body))
		next := replies[min(len(*requests), len(replies))-1]
		response.Header().Set("Content-Type", "application/json")
		for name, value := range next.headers {
			response.Header().Set(name, value)
		}
		response.WriteHeader(next.status)
		_, _ = io.WriteString(response, next.body)
	}))
	t.Cleanup(server.Close)
	options.Endpoint = server.URL + "/"
	service, err := NewService(options)
	if err != nil {
		t.Fatal(err)
	}
	service.wait = func(pause time.Duration) <-chan time.Time {
		*waits = append(*waits, pause)
		now := make(chan time.Time, 1)
		now <- time.Time{}
		return now
	}
	return service, requests, bodies, waits
}

func TestWhatIsSent(t *testing.T) {
	options := Options{Key: "sk-svc_x", Stack: "acme/infra", StackPath: "größe", Version: "1"}
	service, requests, bodies, _ := served(t, options, reply{status: 200, body: `{"id":7,"revision":1,"name":"Shop"}`})
	var answer api.Project
	body := api.ProjectWrite{Name: "Shop"}
	if _, err := service.Call(context.Background(), api.ProjectsUpdate.At(7), "plumbline_project", body, &answer); err != nil {
		t.Fatal(err)
	}
	request := (*requests)[0]
	for _, each := range [][2]string{
		{request.Method + " " + request.URL.Path, "PUT /svc/api/projects/7"},
		{request.Header.Get("Authorization"), "Bearer sk-svc_x"},
		{request.Header.Get("Plumbline-Stack"), "acme/infra"},
		{request.Header.Get("Plumbline-Path"), "gr%C3%B6%C3%9Fe:%20plumbline_project"},
		// What may be null is always sent.
		{(*bodies)[0], `{"description":null,"name":"Shop"}`},
		{answer.Name, "Shop"},
	} {
		if each[0] != each[1] {
			t.Errorf("%q is not %q", each[0], each[1])
		}
	}
}

func TestRetries(t *testing.T) {
	busy, tooMany := reply{status: 503}, reply{status: 429, headers: map[string]string{"Retry-After": "7"}}
	named := reply{status: 503, headers: map[string]string{"Retry-After": "2"}}
	done := reply{status: 200, body: "{}"}
	for name, each := range map[string]struct {
		operation api.Operation
		replies   []reply
		waits     []time.Duration
		status    int
	}{
		"after the time that the service names": {api.ProjectsCreate, []reply{tooMany, named, done}, []time.Duration{7 * time.Second, 2 * time.Second}, 200},
		"after longer and longer otherwise":     {api.ProjectsList, []reply{busy, busy, done}, []time.Duration{time.Second, 2 * time.Second}, 200},
		"never a POST that may have begun":      {api.ProjectsCreate, []reply{busy, done}, nil, 503},
		"four times at most":                    {api.ProjectsList, []reply{tooMany}, []time.Duration{7 * time.Second, 7 * time.Second, 7 * time.Second, 7 * time.Second}, 429},
		"a minute at most": {
			api.ProjectsList,
			[]reply{{status: 429, headers: map[string]string{"Retry-After": "86400"}}, done},
			[]time.Duration{time.Minute},
			200,
		},
		"nothing else": {api.ProjectsList, []reply{{status: 500}, done}, nil, 500},
	} {
		t.Run(name, func(t *testing.T) {
			service, requests, bodies, waits := served(t, Options{}, each.replies...)
			status, _ := service.Call(context.Background(), each.operation, "", map[string]int{"a": 1}, nil)
			if status != each.status || len(*requests) != len(each.waits)+1 {
				t.Errorf("status %d after %d requests", status, len(*requests))
			}
			for index, wait := range each.waits {
				if (*waits)[index] != wait {
					t.Errorf("waited %v", *waits)
				}
			}
			for _, body := range *bodies {
				if body != `{"a":1}` {
					t.Errorf("sent %s", body)
				}
			}
		})
	}
}

func TestTheKeyIsOnlyForTheService(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("was asked") }))
	defer elsewhere.Close()
	service, _, _, _ := served(t, Options{Key: "sk-svc_x"}, reply{status: 302, headers: map[string]string{"Location": elsewhere.URL}})
	status, err := service.Call(context.Background(), api.ProjectsList, "", nil, nil)
	if status != 302 || err == nil {
		t.Errorf("%d, %v", status, err)
	}
}

func TestProblems(t *testing.T) {
	refusal := `{"status":409,"title":"Conflict","detail":"Someone else was faster","requestId":"r1"}`
	service, _, _, _ := served(t, Options{}, reply{status: 409, headers: map[string]string{"Content-Type": "application/problem+json"}, body: refusal})
	_, err := service.Call(context.Background(), api.ProjectsList, "", nil, nil)
	var problem *Problem
	if !errors.As(err, &problem) || problem.Error() != "Someone else was faster\nRequest ID: r1" {
		t.Errorf("%v", err)
	}
	page, _, _, _ := served(t, Options{}, reply{status: 200, headers: map[string]string{"Content-Type": "text/html"}, body: "<html>"})
	if _, err := page.Call(context.Background(), api.ProjectsList, "", nil, &struct{}{}); err == nil || !strings.Contains(err.Error(), "is endpoint the address") {
		t.Errorf("%v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, endpoint := range []string{"", "plumbline.example.com", "ftp://plumbline.example.com", "https://"} {
		if _, err := NewService(Options{Endpoint: endpoint}); err == nil {
			t.Errorf("%q was accepted", endpoint)
		}
	}
	if _, err := NewService(Options{Endpoint: "https://plumbline.example.com", CACertificate: "no certificate"}); err == nil {
		t.Error("no certificate was accepted")
	}
}

func TestWhereAProblemIs(t *testing.T) {
	for given, shown := range map[string]string{
		"failureThreshold":              "failure_threshold",
		"rules.1.configuration.minRows": "rules[1].configuration",
		"rules.0.name":                  "rules[0].name",
		"recipientIds":                  "recipient_ids",
		"recipientIds.0":                "recipient_ids",
		"unheardOf":                     "",
	} {
		at, found := attributeAt(context.Background(), contractSchema(), given)
		if found != (shown != "") || (found && at.String() != shown) {
			t.Errorf("%s is at %s", given, at)
		}
	}
}
