extension Wording {
    static let korean = Wording(
        people: Names(
            ["김", "이", "박", "최", "정", "강", "조", "윤", "장", "한"],
            ["서연", "민준", "지우", "하은", "도윤", "수아", "예준", "나래", "은호", "다인"],
            joiner: ""),
        works: Names(
            ["빵", "안개", "구리", "정원", "종이", "겨울"],
            ["구름", "등대", "이야기", "편지", "별", "책장"],
            joiner: " & "),
        places: ["푸른내", "달맞이동", "솔바람리", "호박항", "은하마을", "돌다리", "새벽골", "참나무터"],
        items: ["등산화", "파란 주전자", "책상 조명", "우비", "커피 그라인더", "양모 담요"],
        lines: [
            Line(.messages, "<person>", "십 분쯤 늦을 것 같아요. 먼저 시작하세요. 빵은 제가 가져갈게요!"),
            Line(.messages, "<person>", subtitle: "주말 여행: <place>", "하늘 봤어요? <emoji>\n지금 사진 보낼게요."),
            Line(
                .mail, "<person>", subtitle: "답장: 청구서 <number>",
                "빠른 답변 감사합니다. 두 번째 쪽이 빠진 것 같은데 다시 보내 주실 수 있을까요?"),
            Line(.podcasts, "<work>", subtitle: "<count>화", "세 자매와 등대 하나, 그리고 아주 긴 겨울 이야기."),
            Line(.news, "<place>", "의회가 옛 나룻배 노선을 되살리기로 했습니다. 첫 배는 봄에 떠납니다."),
            Line(.calendar, "<person> 님과 회의", "<clock>, <digit>번 회의실. 아직 초대에 답하지 않았습니다."),
            Line(.photos, "<person>", subtitle: "공유 앨범: <place>", "새 사진 <count>장이 추가되었습니다 <emoji>"),
            Line(.shopping, "<work>", "재입고: <item>, 남은 수량 <count>개."),
            Line(.social, "<person>", "<person> 님 외 <count>명이 \"아침 산책\" 글을 좋아합니다."),
            Line(.sports, "<place> <digit>:<digit> <rival>", "골! <count>분, 코너킥에 이은 헤딩."),
            Line(.banking, "카드 결제", "<place>에서 ₩<amount> 결제. 본인이 아니라면 앱에서 카드를 잠그세요."),
            Line(.delivery, "택배 <number>", "도착까지 <count>곳 남았습니다. 예상 시각 <clock>."),
            Line(.travel, "승강장 변경", "<place>행 열차는 <digit>번 승강장에서 <clock>에 출발합니다."),
        ])
}
