<?php

// Runs one step in an installed WordPress: php wordpress.php <folder> <step> [<arguments as JSON>]. Prints the result as JSON.

declare(strict_types=1);

[, $folder, $step] = $argv;
$arguments = json_decode($argv[3] ?? '[]', true, 512, JSON_THROW_ON_ERROR);
$_SERVER['HTTP_HOST'] = parse_url(getenv('WORDPRESS_URL'), PHP_URL_HOST) . ':' . parse_url(getenv('WORDPRESS_URL'), PHP_URL_PORT);
$_SERVER['REQUEST_URI'] = '/';
require "$folder/wp-load.php";
require_once ABSPATH . 'wp-admin/includes/plugin.php';
wp_set_current_user(1);

use Tributary\WooCommerce\Checks;
use Tributary\WooCommerce\Report_Store;
use Tributary\WooCommerce\Service;

$plugin = 'tributary-for-woocommerce/tributary-for-woocommerce.php';

function unwrap(mixed $value): mixed
{
    return is_wp_error($value) ? ['error' => $value->get_error_code(), 'message' => $value->get_error_message()] : $value;
}

function reports(int $orderId): array
{
    return array_map(
        static fn (object $row): array => [
            'operation' => $row->operation, 'status' => $row->status, 'reason' => $row->reason, 'body' => json_decode($row->body, true),
        ],
        Report_Store::of_order($orderId),
    );
}

$steps = [
    'activate' => function () use ($plugin): mixed {
        update_option('home', getenv('WORDPRESS_URL'));
        update_option('siteurl', getenv('WORDPRESS_URL'));
        update_option('woocommerce_custom_orders_table_enabled', 'yes');
        update_option('woocommerce_bacs_settings', ['enabled' => 'yes', 'title' => 'Bank transfer']);
        return unwrap(activate_plugin($plugin));
    },
    'connect' => fn (string $url, string $apiKey): mixed => unwrap(Service::connect($url, $apiKey)),
    'checks' => fn (): mixed => unwrap(Checks::integration()),
    'test-order' => fn (): mixed => unwrap(Checks::run_test_order()),
    // Runs due actions, and those of retries, whose pauses the test does not wait for.
    'work' => function (): int {
        global $wpdb;
        $wpdb->query("update {$wpdb->prefix}actionscheduler_actions set scheduled_date_gmt = '2020-01-01 00:00:00' where hook = 'tributary_send_report' and status = 'pending'");
        return ActionScheduler_QueueRunner::instance()->run();
    },
    'pay' => function (int $orderId): string {
        $order = wc_get_order($orderId);
        $order->payment_complete();
        return $order->get_status();
    },
    'refund' => function (int $orderId, string $amount, bool $isItem): mixed {
        $order = wc_get_order($orderId);
        $items = [];
        foreach ($isItem ? $order->get_items() : [] as $id => $item) {
            $items[$id] = ['qty' => 0, 'refund_total' => $amount];
        }
        $refund = wc_create_refund(['order_id' => $orderId, 'amount' => $amount, 'line_items' => $items]);
        return is_wp_error($refund) ? unwrap($refund) : $refund->get_id();
    },
    'status' => function (int $orderId, string $status): string {
        wc_get_order($orderId)->update_status($status);
        return $status;
    },
    'order' => fn (int $orderId): array => ['click' => wc_get_order($orderId)->get_meta('_rm_click'), 'reports' => reports($orderId)],
    'coupon' => function (string $code): int {
        $coupon = new WC_Coupon($code);
        $coupon->set_code($code);
        $coupon->set_discount_type('percent');
        $coupon->set_amount('10');
        return $coupon->save();
    },
    'hpos' => fn (): bool => \Automattic\WooCommerce\Utilities\OrderUtil::custom_orders_table_usage_is_enabled(),
    'uninstall' => function () use ($plugin): array {
        global $wpdb;
        Service::disconnect();
        deactivate_plugins($plugin);
        uninstall_plugin($plugin);
        return [
            'tables' => $wpdb->get_col("show tables like '%tributary%'"),
            'options' => $wpdb->get_col("select option_name from {$wpdb->options} where option_name like '%tributary%'"),
            'actions' => (int) $wpdb->get_var("select count(*) from {$wpdb->prefix}actionscheduler_actions where hook like 'tributary%' and status = 'pending'"),
        ];
    },
];
echo "\n", json_encode($steps[$step](...$arguments), JSON_THROW_ON_ERROR), "\n";
