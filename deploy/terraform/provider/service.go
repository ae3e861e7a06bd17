package provider

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"terraform-provider-plumbline/provider/api"
)

const (
	maxAnswerBytes = 64 << 20
	maxAttempts    = 5
	maxWait        = time.Minute
)

// Options say which service is called, and as whom.
type Options struct {
	Endpoint, Key, CACertificate, Stack, StackPath, Version string
}

// Service calls the REST API.
type Service struct {
	options Options
	root    string
	client  *http.Client
	// wait is time.After, except in tests.
	wait func(time.Duration) <-chan time.Time
	// folders is held while folders of queries are looked up and created, so that each is created once.
	folders sync.Mutex
}

// NewService fails for an address or certificates that cannot be used.
func NewService(options Options) (*Service, error) {
	root, err := url.Parse(strings.TrimRight(options.Endpoint, "/"))
	if err != nil || (root.Scheme != "http" && root.Scheme != "https") || root.Host == "" {
		return nil, errors.New("endpoint must be an http or https address, such as https://plumbline.example.com")
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	if options.CACertificate != "" {
		pool, err := x509.SystemCertPool()
		if err != nil {
			pool = x509.NewCertPool()
		}
		if !pool.AppendCertsFromPEM([]byte(options.CACertificate)) {
			return nil, errors.New("ca_certificate has no PEM certificate")
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	}
	client := &http.Client{
		Transport: transport,
		Timeout:   5 * time.Minute,
		// The key is only for this service.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Service{options: options, root: root.String() + "/svc/api", client: client, wait: time.After}, nil
}

// Call sends a request, and reads what is answered unless answer is nil. It returns the status, and a *Problem if the
// service refused.
//
// What was refused for being too much (429) or not ready (503) is sent again, after the time that the service names. A POST
// is only repeated after a 503 that names one: without it, something in between may have answered for a service that had
// already begun.
func (s *Service) Call(ctx context.Context, operation api.Operation, resource string, body, answer any) (int, error) {
	var sent []byte
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return 0, err
		}
		sent = encoded
	}
	for attempt := 1; ; attempt++ {
		response, err := s.send(ctx, operation, resource, sent)
		if err != nil {
			return 0, err
		}
		content, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes))
		_ = response.Body.Close()
		if err != nil {
			return 0, fmt.Errorf("the answer to %s %s broke off: %w", operation.Method, operation.Path, err)
		}
		pause, again := retryAfter(operation.Method, response, attempt)
		if again && attempt < maxAttempts {
			select {
			case <-s.wait(pause):
				continue
			case <-ctx.Done():
				return 0, ctx.Err()
			}
		}
		return response.StatusCode, read(response, content, answer)
	}
}

func (s *Service) send(ctx context.Context, operation api.Operation, resource string, sent []byte) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, operation.Method, s.root+operation.Path, bytes.NewReader(sent))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.options.Key)
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "terraform-provider-plumbline/"+s.options.Version)
	if sent != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if s.options.Stack != "" && operation.Method != http.MethodGet {
		request.Header.Set("Plumbline-Stack", s.options.Stack)
		request.Header.Set("Plumbline-Path", url.PathEscape(s.options.StackPath+": "+resource))
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be reached: %w", s.options.Endpoint, err)
	}
	return response, nil
}

func retryAfter(method string, response *http.Response, attempt int) (time.Duration, bool) {
	isBusy := response.StatusCode == http.StatusServiceUnavailable
	if response.StatusCode != http.StatusTooManyRequests && !isBusy {
		return 0, false
	}
	header := response.Header.Get("Retry-After")
	if isBusy && header == "" && method == http.MethodPost {
		return 0, false
	}
	pause := time.Second << (attempt - 1)
	if seconds, err := strconv.Atoi(header); err == nil && seconds >= 0 {
		pause = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(header); err == nil {
		pause = max(0, time.Until(at))
	}
	return min(pause, maxWait), true
}

func read(response *http.Response, content []byte, answer any) error {
	isJSON := strings.Contains(response.Header.Get("Content-Type"), "json")
	if response.StatusCode < 200 || response.StatusCode > 299 {
		problem := &Problem{}
		if isJSON {
			_ = json.Unmarshal(content, problem)
		}
		problem.Status = response.StatusCode
		return problem
	}
	if answer == nil || response.StatusCode == http.StatusNoContent {
		return nil
	}
	if !isJSON {
		return &Problem{Status: response.StatusCode, Detail: "The answer is no JSON: is endpoint the address of the service?"}
	}
	return json.Unmarshal(content, answer)
}
