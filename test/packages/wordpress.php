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
use Tributary\WooCommerce\Code_Sync;
use Tributary\WooCommerce\Coupon_Panel;
use Tributary\WooCommerce\Coupons;
use Tributary\WooCommerce\Health;
use Tributary\WooCommerce\Report_Store;
use Tributary\WooCommerce\Service;
use Tributary\WooCommerce\Settings;

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

/** A page with a shortcode, created once. */
function page(string $slug, string $content): int
{
    $page = get_page_by_path($slug);
    return $page ? $page->ID : wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_name' => $slug, 'post_title' => $slug, 'post_content' => $content]);
}

/** @param array<string, mixed> $fields */
function setCoupon(WC_Coupon $coupon, array $fields): int
{
    foreach ($fields as $name => $value) {
        $coupon->{"set_$name"}($value);
    }
    return $coupon->save();
}

// Says which kind of consent the visitors of the shop need, as a consent manager does.
$consentManager = WPMU_PLUGIN_DIR . '/tributary-test-consent.php';
// The library of WooCommerce Subscriptions is not a plugin: another plugin starts it.
$subscriptions = WPMU_PLUGIN_DIR . '/tributary-test-subscriptions.php';

function addMustUsePlugin(string $file, string $code): void
{
    wp_mkdir_p(dirname($file));
    file_put_contents($file, "<?php\n$code\n");
}

$steps = [
    'activate' => function () use ($plugin, $consentManager, $subscriptions): mixed {
        // What an earlier run left.
        foreach (array_filter([$consentManager, $subscriptions], is_file(...)) as $file) {
            unlink($file);
        }
        as_unschedule_all_actions('', [], 'tributary');
        foreach (get_posts(['post_type' => 'shop_coupon', 'post_status' => ['any', 'trash'], 'numberposts' => -1, 'fields' => 'ids']) as $id) {
            wp_delete_post($id, true);
        }
        deactivate_plugins([$plugin, 'wp-consent-api/wp-consent-api.php']);
        update_option('home', getenv('WORDPRESS_URL'));
        update_option('siteurl', getenv('WORDPRESS_URL'));
        update_option('woocommerce_bacs_settings', ['enabled' => 'yes', 'title' => 'Bank transfer']);
        update_option('woocommerce_coming_soon', 'no');
        update_option('woocommerce_default_country', 'US:OR');
        page('classic-checkout', '[woocommerce_checkout]');
        return unwrap(activate_plugin($plugin));
    },
    // In the database, because WooCommerce does not change the storage while orders of an earlier run are not copied.
    'storage' => function (string $isOrderTable): bool {
        global $wpdb;
        $wpdb->delete($wpdb->options, ['option_name' => 'woocommerce_custom_orders_table_enabled']);
        $wpdb->insert($wpdb->options, ['option_name' => 'woocommerce_custom_orders_table_enabled', 'option_value' => $isOrderTable, 'autoload' => 'on']);
        wp_cache_flush();
        return true;
    },
    'checkout-page' => fn (string $slug): bool => update_option('woocommerce_checkout_page_id', get_page_by_path($slug)->ID),
    'connect' => fn (string $url, string $apiKey): mixed => unwrap(Service::connect($url, $apiKey)),
    'checks' => fn (): mixed => unwrap(Checks::integration()),
    'health' => fn (): mixed => ['checks' => Health::checks(), 'site' => Health::site_health()],
    'test-order' => fn (): mixed => unwrap(Checks::run_test_order()),
    // Runs due actions, and those of retries, whose pauses the test does not wait for. The comparison of codes has its own step.
    'work' => function (): int {
        global $wpdb;
        $wpdb->query("update {$wpdb->prefix}actionscheduler_actions set scheduled_date_gmt = '2020-01-01 00:00:00' where hook in ('tributary_send_report', 'tributary_check_order', 'tributary_send_coupon', 'tributary_pause_code') and status = 'pending'");
        $wpdb->query("update {$wpdb->prefix}actionscheduler_actions set scheduled_date_gmt = utc_timestamp() + interval 1 day where hook = 'tributary_sync_codes' and status = 'pending'");
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
    // Where the click of an order is stored.
    'click-tables' => function (int $orderId): array {
        global $wpdb;
        $count = static fn (string $table, string $column): int => (int) $wpdb->get_var($wpdb->prepare("select count(*) from %i where %i = %d and meta_key = '_rm_click'", $wpdb->prefix . $table, $column, $orderId));
        return ['orders' => $count('wc_orders_meta', 'order_id'), 'posts' => $count('postmeta', 'post_id')];
    },
    'coupon' => function (string $code, array $fields = []): int {
        $coupon = new WC_Coupon();
        return setCoupon($coupon, ['code' => $code, 'discount_type' => 'percent', 'amount' => '10', ...$fields]);
    },
    'change-coupon' => fn (int $id, array $fields): int => setCoupon(new WC_Coupon($id), $fields),
    'give' => function (int $id, string $owner): bool {
        Coupon_Panel::give($id, $owner);
        return true;
    },
    'trash' => fn (int $id): bool => (bool) wp_trash_post($id),
    'publish' => fn (int $id): int => wp_update_post(['ID' => $id, 'post_status' => 'publish']),
    'delete' => fn (int $id): bool => (bool) wp_delete_post($id, true),
    'coupon-named' => function (string $name): ?array {
        $coupon = Coupons::named($name);
        if ($coupon === null) {
            return null;
        }
        return [
            'id' => $coupon->get_id(),
            'code' => $coupon->get_code(),
            'status' => get_post_status($coupon->get_id()),
            'discount' => $coupon->get_discount_type() . ' ' . $coupon->get_amount(),
            'expires' => $coupon->get_date_expires()?->getTimestamp(),
            'code_id' => Coupons::code_id($coupon),
            'owner' => Coupons::link($coupon)['owner'],
            'is_pending' => (bool) $coupon->get_meta(Coupons::PENDING),
            'state' => Coupon_Panel::state($coupon),
        ];
    },
    'compare-codes' => fn (): mixed => unwrap(Code_Sync::run()),
    'settings' => function (bool $everyOrder, ?array $discount): bool {
        Settings::set_orders($everyOrder, $discount);
        return true;
    },
    'consent-api' => function (string $type) use ($consentManager): mixed {
        addMustUsePlugin($consentManager, "add_filter( 'wp_get_consent_type', fn () => '$type' );");
        return unwrap(activate_plugin('wp-consent-api/wp-consent-api.php'));
    },
    'no-consent-api' => function () use ($consentManager): bool {
        deactivate_plugins('wp-consent-api/wp-consent-api.php');
        return unlink($consentManager);
    },
    'is-consent-registered' => fn (): bool => (bool) apply_filters("wp_consent_api_registered_$plugin", false),
    'administrator' => function (): array {
        $password = 'only-for-the-test-shop';
        wp_set_password($password, 1);
        return ['name' => get_userdata(1)->user_login, 'password' => $password];
    },
    'subscriptions' => function () use ($subscriptions): bool {
        addMustUsePlugin($subscriptions, <<<'PHP'
            add_action( 'plugins_loaded', function () {
                require_once WP_PLUGIN_DIR . '/woocommerce-subscriptions-core/includes/class-wc-subscriptions-core-plugin.php';
                new WC_Subscriptions_Core_Plugin();
            }, 0 );
            PHP);
        return true;
    },
    'no-subscriptions' => fn (): bool => unlink($subscriptions),
    // Makes an order the first one of a monthly subscription of the same products.
    'subscribe' => function (int $orderId): int {
        $order = wc_get_order($orderId);
        // A subscription has a customer with an account.
        $order->set_customer_id(1);
        $order->save();
        $subscription = wcs_create_subscription(['order_id' => $orderId, 'customer_id' => 1, 'status' => 'pending', 'billing_period' => 'month', 'billing_interval' => 1]);
        foreach ($order->get_items() as $item) {
            $subscription->add_product($item->get_product(), $item->get_quantity());
        }
        $subscription->calculate_totals();
        $subscription->save();
        return $subscription->get_id();
    },
    // The next payment is due, and is paid; or it is paid early, while the subscription is active.
    'renew' => function (string $id, bool $isDue): int {
        if ($isDue) {
            do_action('woocommerce_scheduled_subscription_payment', (int) $id);
        }
        $subscription = wcs_get_subscription((int) $id);
        $renewal = $isDue ? $subscription->get_last_order('all', ['renewal']) : wcs_create_renewal_order($subscription);
        $renewal->payment_complete();
        return $renewal->get_id();
    },
    'cancel' => function (string $id): string {
        $subscription = wcs_get_subscription((int) $id);
        $subscription->cancel_order();
        $subscription->update_status('cancelled');
        return $subscription->get_status();
    },
    'uninstall' => function () use ($plugin): array {
        global $wpdb;
        Service::disconnect();
        deactivate_plugins($plugin);
        uninstall_plugin($plugin);
        return [
            'tables' => $wpdb->get_col("show tables like '%tributary%'"),
            'options' => $wpdb->get_col("select option_name from {$wpdb->options} where option_name like '%tributary%' and option_name not like '%tributary_notice%'"),
            'coupons' => $wpdb->get_col("select meta_key from {$wpdb->postmeta} m join {$wpdb->posts} p on p.ID = m.post_id where p.post_type = 'shop_coupon' and meta_key like '%tributary%'"),
            'actions' => (int) $wpdb->get_var("select count(*) from {$wpdb->prefix}actionscheduler_actions where hook like 'tributary%' and status = 'pending'"),
        ];
    },
];
echo "\n", json_encode($steps[$step](...$arguments), JSON_THROW_ON_ERROR), "\n";
