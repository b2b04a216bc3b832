import { shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

export const rubySnippet = (values: SnippetValues): string => `# POSTBACK_KEY=${shellQuote(keyOf(values))} ruby report_order.rb
require "json"
require "net/http"
require "time" # without it Time has no iso8601

URL = URI("${values.postbacksUrl}/conversions")

def report_paid_order(order)
  report = {
    order_id: order[:id].to_s, # text: a number is refused
    click_id: order[:click_id], # as the page gave it; without a click there is nothing to report
    currency: "USD",
    # Whole cents as an Integer: a BigDecimal becomes text in JSON, and a Float loses cents.
    order_subtotal_cents: order[:subtotal_cents],
    # to_json writes "2026-03-01 12:00:00 UTC", which is refused: write it yourself, with milliseconds.
    occurred_at: order[:paid_at].getutc.iso8601(3)
  }
  report[:test] = true if order[:is_test]
  body = JSON.generate(report)
  headers = { "Authorization" => "Bearer #{ENV.fetch("POSTBACK_KEY")}", "Content-Type" => "application/json" }
  (1..5).each do |attempt|
    begin
      # Net::HTTP sends a POST only once; the same body again is safe.
      answer = Net::HTTP.start(URL.host, URL.port, use_ssl: URL.scheme == "https", open_timeout: 5, read_timeout: 10) do |http|
        http.post(URL.path, body, headers)
      end
      # A 4xx is final: log it, and do not send it again.
      return [answer.code.to_i, JSON.parse(answer.body)] if answer.code.to_i < 500 || attempt == 5
    rescue SystemCallError, SocketError, Timeout::Error, EOFError
      raise if attempt == 5
    end
    sleep 0.5 * 2**attempt
  end
end

now = Time.now
order = { id: "test-#{now.to_f}", click_id: "${clickIdOf(values)}", subtotal_cents: 1000, paid_at: now, is_test: true }
p report_paid_order(order)`;
