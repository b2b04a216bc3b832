<?php
// As much of WordPress and WooCommerce as the plugin of docs/platforms.md calls. Reads a list of steps, prints what came of them.
error_reporting(E_ALL);
set_error_handler(function ($level, $message, $file, $line) {
    throw new ErrorException($message, 0, $level, $file, $line);
});
define('ABSPATH', __DIR__);
define('DAY_IN_SECONDS', 86400);
$input = json_decode(stream_get_contents(STDIN), true);
foreach ($input['constants'] as $name => $value) {
    define($name, $value);
}

$hooks = [];
$doing = '';
$scheduled = [];
function add_action($name, $do, $priority = 10, $accepted = 1) {
    global $hooks;
    $hooks[$name][] = [$do, $accepted];
}
function run_action($name, ...$given) {
    global $hooks, $doing;
    $doing = $name;
    foreach ($hooks[$name] ?? [] as [$do, $accepted]) {
        $do(...array_slice($given, 0, $accepted));
    }
}
function current_action() {
    global $doing;
    return $doing;
}
function esc_url($url) {
    return htmlspecialchars($url);
}
function as_schedule_single_action($at, $hook, $given, $group) {
    global $scheduled;
    $scheduled[] = ['in' => $at - time(), 'hook' => $hook, 'given' => $given];
}

if (isset($input['consent'])) {
    function wp_has_consent($category) {
        global $input;
        return $category === 'marketing' && $input['consent'];
    }
}

class WC_Order {
    public $meta = [];
    public $notes = [];
    public $saved = 0;
    function __construct(public $fields) {}
    function update_meta_data($key, $value) { $this->meta[$key] = $value; }
    function get_meta($key) { return $this->meta[$key] ?? ''; }
    function save() { $this->saved += 1; }
    function add_order_note($note) { $this->notes[] = $note; }
    function get_id() { return $this->fields['id']; }
    function get_order_number() { return $this->fields['id']; }
    function get_currency() { return 'USD'; }
    function get_total() { return $this->fields['total']; }
    function get_total_tax() { return $this->fields['tax']; }
    function get_shipping_total() { return $this->fields['shipping']; }
    function get_date_paid() { return $this->fields['paid'] ? new DateTime('@' . $this->fields['paid']) : null; }
}
$orders = [];
function wc_get_order($id) {
    global $orders;
    return $orders[$id] ?? false;
}

class WP_Error {}
function is_wp_error($answer) { return $answer instanceof WP_Error; }
function wp_json_encode($value) { return json_encode($value); }
function wp_remote_post($url, $options) {
    $headers = array_map(fn ($name) => "$name: {$options['headers'][$name]}", array_keys($options['headers']));
    $http = ['method' => 'POST', 'header' => $headers, 'content' => $options['body'], 'ignore_errors' => true, 'timeout' => $options['timeout']];
    try {
        $body = file_get_contents($url, false, stream_context_create(['http' => $http]));
    } catch (ErrorException $error) {
        return new WP_Error();
    }
    return ['code' => (int) explode(' ', $http_response_header[0])[1], 'body' => $body];
}
function wp_remote_retrieve_response_code($answer) { return $answer['code']; }
function wp_remote_retrieve_body($answer) { return $answer['body']; }

require $input['plugin'];

foreach ($input['steps'] as $step) {
    switch ($step['do']) {
        case 'order':
            $_COOKIE = $step['cookie'] === null ? [] : ['_service_click' => $step['cookie']];
            $orders[$step['fields']['id']] = new WC_Order($step['fields']);
            run_action($step['by'], $orders[$step['fields']['id']], []);
            break;
        case 'action':
            run_action($step['name'], $step['id'], 'more');
            break;
        case 'scheduled':
            [$now, $scheduled] = [$scheduled, []];
            foreach ($now as $one) {
                if ($one['in'] < ($step['atLeast'] ?? 0)) {
                    throw new Exception("It is tried again after {$one['in']} seconds.");
                }
                if (($step['only'] ?? $one['given'][0]) === $one['given'][0]) {
                    run_action($one['hook'], ...$one['given']);
                } else {
                    $scheduled[] = $one;
                }
            }
            break;
    }
}
ob_start();
run_action('wp_head');
$head = ob_get_clean();
$shown = array_map(fn ($order) => ['notes' => $order->notes, 'meta' => $order->meta, 'saved' => $order->saved], $orders);
echo json_encode(['orders' => $shown, 'scheduled' => $scheduled, 'head' => $head]);
