import { shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

export const goSnippet = (values: SnippetValues): string => imports(values) + reportFunction(values) + mainFunction(values);

const imports = (values: SnippetValues): string => `// POSTBACK_KEY=${shellQuote(keyOf(values))} go run report_order.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

type order struct {
	ID            string    \`json:"order_id"\` // text: a number is refused
	ClickID       string    \`json:"click_id"\` // as the page gave it; without a click there is nothing to report
	Currency      string    \`json:"currency"\`
	SubtotalCents int64     \`json:"order_subtotal_cents"\` // no float64: with a price of 19.99, int64(price*100) is 1998
	PaidAt        time.Time \`json:"occurred_at"\`
	Test          bool      \`json:"test,omitempty"\`
}
`;

const reportFunction = (values: SnippetValues): string => `
// The default client waits for ever.
var client = &http.Client{Timeout: 10 * time.Second}

func reportPaidOrder(paid order) (int, string, error) {
	// time.Time has nine digits and, from time.Now, a clock of its own: cut it, so that one time is always the same text.
	paid.PaidAt = paid.PaidAt.UTC().Truncate(time.Millisecond)
	body, err := json.Marshal(paid)
	if err != nil {
		return 0, "", err
	}
	for attempt := 1; ; attempt++ {
		// A request is used up by sending it: a new one each time, around the same bytes.
		request, err := http.NewRequest(http.MethodPost, "${values.postbacksUrl}/conversions", bytes.NewReader(body))
		if err != nil {
			return 0, "", err
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("POSTBACK_KEY"))
		request.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(request)
		if err == nil {
			text, readErr := io.ReadAll(answer.Body)
			answer.Body.Close()
			// err is nil for a 4xx too, and a 4xx is final.
			if readErr == nil && (answer.StatusCode < 500 || attempt == 5) {
				return answer.StatusCode, string(text), nil
			}
			err = readErr
		}
		if attempt == 5 {
			return 0, "", err
		}
		time.Sleep(500 * time.Millisecond << attempt)
	}
}
`;

const mainFunction = (values: SnippetValues): string => `
func main() {
	now := time.Now()
	id := fmt.Sprintf("test-%d", now.UnixNano())
	fmt.Println(reportPaidOrder(order{ID: id, ClickID: "${clickIdOf(values)}", Currency: "USD", SubtotalCents: 1000, PaidAt: now, Test: true}))
}`;
