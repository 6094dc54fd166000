extension Wording {
    static let chinese = Wording(
        people: Names(
            ["林", "陈", "周", "苏", "沈", "叶", "顾", "程", "陆", "何"],
            ["晓雨", "子涵", "明远", "静怡", "浩然", "若曦", "文博", "思琪", "嘉宁", "云舟"],
            joiner: ""),
        works: Names(
            ["面包", "晨雾", "黄铜", "花园", "纸张", "冬天"],
            ["云朵", "灯塔", "故事", "书信", "星星", "书架"],
            joiner: "与"),
        places: ["青溪镇", "白鹭湾", "松风里", "月牙湖", "琥珀港", "石桥村", "云岭", "晴川"],
        items: ["登山鞋", "蓝色水壶", "台灯", "雨衣", "咖啡研磨机", "羊毛毯"],
        lines: [
            Line(.messages, "<person>", "我要晚到十分钟，你们先开始吧。面包我来带！"),
            Line(.messages, "<person>", subtitle: "周末去<place>", "你看到天空了吗？<emoji>\n马上发照片给你。"),
            Line(.mail, "<person>", subtitle: "回复：发票 <number>", "谢谢，回得真快。好像少了第二页，能麻烦再发一次吗？"),
            Line(.podcasts, "<work>", subtitle: "第 <count> 期", "三姐妹、一座灯塔和一个漫长的冬天。"),
            Line(.news, "<place>", "议会决定恢复旧渡轮航线，首班船将于春天出发。"),
            Line(.calendar, "与<person>的会议", "<clock>，<digit> 号会议室。您尚未回复邀请。"),
            Line(.photos, "<person>", subtitle: "共享相簿：<place>", "新增了 <count> 张照片<emoji>"),
            Line(.shopping, "<work>", "重新到货：<item>，¥<amount>，仅剩 <count> 件。"),
            Line(.social, "<person>", "<person>和另外 <count> 人赞了你的帖子\"清晨\"。"),
            Line(.sports, "<place> <digit>:<digit> <rival>", "进球！第 <count> 分钟，角球头球破门。"),
            Line(.banking, "银行卡支付", "在<place>消费 ¥<amount>。不是您本人？请在应用中锁定卡片。"),
            Line(.delivery, "包裹 <number>", "还有 <count> 站，预计 <clock> 送达。"),
            Line(.travel, "站台变更", "开往<place>的列车改由 <digit> 号站台发车，时间 <clock>。"),
        ])
}
