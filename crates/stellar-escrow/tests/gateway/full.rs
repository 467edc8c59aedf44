//! Case 10c: the disk is full where the gateway stores. With some pages of room more, an order gets some
//! writes further; wherever it stands still, nothing was sent that is not stored.

use std::time::Duration;

use crate::disk::Disk;
use crate::world::{Process, World};

const PAGE: u64 = 4_096;
/// Rare writes of its own, so that the room is the orders'.
const SETTINGS: &str = "[worker]\nlease_seconds = 3\npoll_millis = 200\nreconcile_seconds = 0\n\
                        ledgers_on_demand = true\n[policy]\npoll_millis = 100\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_sends_nothing_that_is_not_stored() {
    let disk = Disk::new();
    let world = World::keeping(disk.path().join("gateway.db"), SETTINGS).await;
    let process = Process::of(disk.command(world.command()));
    world.until_paid(&process, "first").await;
    let (mut refused, mut waited, mut orders) = (0, 0, 1);
    for step in 0.. {
        let key = format!("g{step}");
        orders += 1;
        disk.leave(step * 4 * PAGE);
        disk.tell(process.id());
        let status = world.post(&process, &key).send().await.expect("an answer");
        let status = status.status().as_u16();
        assert!(matches!(status, 202 | 500), "{status}");
        tokio::time::sleep(Duration::from_millis(400)).await;
        let (stored, paid) = (world.rows("envelopes"), world.chain.payout_count());
        assert!(paid <= stored, "{paid} payouts of {stored} envelopes");
        disk.free();
        disk.tell(process.id());
        if status == 500 {
            refused += 1;
            assert_eq!(world.rows("orders"), orders - 1, "nothing of it is stored");
        } else if paid < orders {
            waited += 1;
        }
        let again = world.until_paid(&process, &key).await;
        assert_eq!(again, if status == 500 { 202 } else { 200 });
        world.settled(orders);
        if paid == orders {
            break;
        }
    }
    println!("{refused} orders refused, {waited} held up");
    assert!(refused > 1 && waited > 0, "{refused}, {waited}");
}
